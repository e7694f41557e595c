import { readFile } from 'node:fs/promises';
import type { ReadTable, TableRow } from '../../rows/read-table.ts';
import { term } from '../../words/terms.ts';
import { confirm, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { askReason } from './act.ts';

/** The service accepts this many rows in one request. */
const mostRows = 1_000;

interface RowAnswer {
  readonly outcome: Parameters<typeof term>[0];
}

/** A row of a file and its outcome, or its preview. */
export interface RowOutcome<Row, Answer> extends TableRow<Row> {
  readonly answer: Answer | undefined;
}

export interface RowWishes {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly reason?: string | undefined;
}

/** How the rows of a file are sent and shown, and what is asked in between. */
interface RowWork<Row, Answer> {
  /** Sends one piece of the rows, counted from 0. */
  readonly send: (rows: readonly Row[], piece: number, dryRun: boolean) => Promise<Answer[]>;
  readonly show: (rows: readonly RowOutcome<Row, Answer>[]) => void;
  readonly words: {
    readonly notYet: (summarize: string) => string;
    readonly question: string;
    readonly nothing: string;
  };
  readonly advise: (rows: readonly RowOutcome<Row, Answer>[]) => readonly string[];
}

/** Shows what the rows of a file would change, asks, then does it. */
export async function doRows<Row, Answer extends RowAnswer>(
  session: Session,
  rows: readonly TableRow<Row>[],
  { dryRun, yes }: RowWishes,
  { send, show, words, advise }: RowWork<Row, Answer>,
): Promise<void> {
  const { screen } = session;
  const sendAll = async (isPreview: boolean) => {
    const answers: Answer[] = [];
    for (let start = 0; start < rows.length; start += mostRows) {
      if (rows.length > mostRows) {
        screen.progress(phrase('admin.rowsDone', { done: start, all: rows.length }));
      }
      const piece = rows.slice(start, start + mostRows).map(({ row }) => row);
      answers.push(...(await send(piece, start / mostRows, isPreview)));
    }
    screen.endProgress();
    return rows.map((row, index) => ({ ...row, answer: answers[index] }));
  };
  if (dryRun || (screen.isLive && !session.json && !yes)) {
    const preview = await sendAll(true);
    show(preview);
    screen.tell(words.notYet(summarize(preview)));
    if (dryRun) return endWith(session, preview);
    if (!(await confirm(session, words.question))) return screen.tell(words.nothing);
  }
  const done = await sendAll(false);
  show(done);
  screen.tell(`${summarize(done)}.`, ...advise(done));
  endWith(session, done);
}

/** `3 granted, 1 refused`. */
function summarize(rows: readonly RowOutcome<unknown, RowAnswer>[]): string {
  const counts = new Map<RowAnswer['outcome'], number>();
  for (const { answer } of rows) {
    const name = answer?.outcome ?? 'not-done';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${term(name)}`).join(', ');
}

function endWith({ end }: Session, rows: readonly RowOutcome<unknown, RowAnswer>[]): void {
  if (rows.some(isOpen)) end(outcome.refused);
}

export function isOpen({ answer }: RowOutcome<unknown, RowAnswer>): boolean {
  return answer === undefined || answer.outcome === 'refused' || answer.outcome === 'not-done';
}

/** Reads all rows of a file, or tells all its problems; line 0 stands for the file as a whole. */
export async function readRows<Row>(
  path: string,
  read: (text: string) => Promise<ReadTable<Row>>,
  words: { readonly isNotATable: (whole: string) => string; readonly someRows: string },
): Promise<readonly TableRow<Row>[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CannotDo(phrase('shared.theFileCannotBeRead', { path }));
  });
  const { rows, problems } = await read(text);
  if (problems.size === 0) return rows;
  const whole = problems.get(0);
  if (whole !== undefined) throw new CannotDo(words.isNotATable(whole));
  throw new CannotDo(words.someRows, {
    next: [...problems]
      .map(([line, problem]) => `  ${phrase('admin.lineHasProblem', { line, problem })}`)
      .join('\n'),
  });
}

/** Returns the reason of all rows. A dry run needs none, because nothing is kept. */
export async function askReasonOfRows(
  session: Session,
  { dryRun, reason }: RowWishes,
): Promise<string> {
  return dryRun ? (reason ?? phrase('admin.aDryRun')) : askReason(session, reason);
}
