import { readFile } from 'node:fs/promises';
import { given } from '../../calls/given.ts';
import { describeChange } from '../../changes/describe-change.ts';
import { describeProblem } from '../../changes/describe-problem.ts';
import type { GrantedRow, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { RowUnreadable } from '../../rows/read-grant-row.ts';
import { type GrantOfTable, readGrants } from '../../rows/read-grants.ts';
import { term } from '../../words/terms.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { confirm, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { askReason } from './act.ts';

/** The service accepts this many rows in one request. */
const mostRows = 1_000;

interface Wishes {
  readonly from: string;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly key?: string | undefined;
  readonly reason?: string | undefined;
}

/** Shows what a file would change, asks, then grants it. */
export async function grantMany(session: Session, wishes: Wishes): Promise<void> {
  const { screen, client } = session;
  const grants = await readGrantsFile(client, wishes.from);
  const reason = await chooseReason(session, wishes, grants);
  const key = wishes.key ?? (await makeKey(grants, reason));
  const send = (dryRun: boolean) => sendGrants(client, grants, { reason, key, dryRun });
  const show = await prepareTable(session);
  if (wishes.dryRun || (screen.isLive && !session.json && !wishes.yes)) {
    const preview = await send(true);
    show(preview);
    screen.tell(phrase('admin.nothingWasGrantedYet', { summarize: summarize(preview) }));
    if (wishes.dryRun) return endWith(session, preview);
    if (!(await confirm(session, phrase('admin.grantIt'))))
      return screen.tell(phrase('admin.nothingWasGranted'));
  }
  const done = await send(false);
  show(done);
  screen.tell(`${summarize(done)}.`, ...adviseAfter(done, wishes, key));
  endWith(session, done);
}

/** Returns the reason for rows without their own. A dry run needs none, because nothing is kept. */
async function chooseReason(
  session: Session,
  { dryRun, reason }: Wishes,
  grants: readonly GrantOfTable[],
): Promise<string | undefined> {
  if (grants.every(({ row }) => row.reason !== undefined)) return undefined;
  return dryRun ? (reason ?? phrase('admin.aDryRun')) : askReason(session, reason);
}

/**
 * Derives a key from rows and reason, so that sending a file again grants nothing twice within a
 * day.
 */
async function makeKey(grants: readonly GrantOfTable[], reason = ''): Promise<string> {
  const { createHash } = await import('node:crypto');
  const meaning = JSON.stringify([grants, reason]);
  return createHash('sha256').update(meaning).digest('hex').slice(0, 12);
}

function adviseAfter(rows: readonly GrantOutcome[], { from }: Wishes, key: string): string[] {
  if (rows.some(isOpen)) {
    return [
      phrase('admin.correctTheOtherLines'),
      `  slipway admin grant --from ${from} --key ${key}`,
    ];
  }
  if (rows.some(({ answer }) => answer?.outcome !== 'unchanged')) return [];
  return [phrase('admin.allRowsAreUnchanged')];
}

async function sendGrants(
  client: Slipway,
  grants: readonly GrantOfTable[],
  { reason, key, dryRun }: { reason: string | undefined; key: string; dryRun: boolean },
): Promise<GrantOutcome[]> {
  const answers: GrantedRow[] = [];
  for (let start = 0; start < grants.length; start += mostRows) {
    const rows = grants.slice(start, start + mostRows).map(({ row }) => row);
    const many = { rows, dry_run: dryRun, ...given({ reason }) };
    answers.push(
      ...(await client.grantQuotas(many, { idempotencyKey: `${key}-${start / mostRows}` })),
    );
  }
  return grants.map((grant, index) => ({ ...grant, answer: answers[index] }));
}

async function prepareTable({ client, screen, print }: Session) {
  const columns = grantColumns(await readCharging(client));
  return (rows: readonly GrantOutcome[]) =>
    print(
      rows.map(({ answer }) => answer),
      ...screen.layOut(rows, columns),
    );
}

/** `3 granted, 1 refused`. */
function summarize(rows: readonly GrantOutcome[]): string {
  const counts = new Map<string, number>();
  for (const { answer } of rows) {
    const name = answer?.outcome ?? 'not-done';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${term(name)}`).join(', ');
}

function endWith({ end }: Session, rows: readonly GrantOutcome[]): void {
  if (rows.some(isOpen)) end(outcome.refused);
}

function isOpen({ answer }: GrantOutcome): boolean {
  return answer === undefined || answer.outcome === 'refused' || answer.outcome === 'not-done';
}

/** Reads all rows of a file, or tells all its problems. */
async function readGrantsFile(client: Slipway, path: string): Promise<readonly GrantOfTable[]> {
  const { rows, problems } = await readGrants(await readText(path), rememberPlaces(client));
  if (problems.size === 0) return rows;
  const whole = problems.get(0);
  if (whole !== undefined) {
    throw new CannotDo(phrase('admin.isNotATable', { path, whole }));
  }
  throw new CannotDo(phrase('admin.someRowsUnreadable', { path }), {
    next: [...problems]
      .map(([line, problem]) => `  ${phrase('admin.lineHasProblem', { line, problem })}`)
      .join('\n'),
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new CannotDo(phrase('shared.theFileCannotBeRead', { path }));
  }
}

/** Looks up each project once. */
function rememberPlaces(client: Slipway): (project: string) => Promise<ProjectPlace> {
  const known = new Map<string, Promise<ProjectPlace>>();
  return (project) => {
    const place = known.get(project) ?? findPlace(client, project);
    known.set(project, place);
    return place;
  };
}

async function findPlace(client: Slipway, project: string): Promise<ProjectPlace> {
  try {
    return await findProject(client, project);
  } catch (error) {
    throw error instanceof CannotDo ? new RowUnreadable(error.message) : error;
  }
}

/** A row of a file and its outcome, or its preview. */
interface GrantOutcome extends GrantOfTable {
  readonly answer: GrantedRow | undefined;
}

function grantColumns(chargingOf: ChargingOf): readonly Column<GrantOutcome>[] {
  return [
    rightColumn('admin.headLine', ({ line }) => String(line)),
    column('shared.headUser', ({ row }) => row.user_id),
    column('shared.headProject', ({ row }) => row.project_name, { shrinks: true }),
    column('admin.headOutcome', ({ answer }) => term(answer?.outcome ?? 'not-done')),
    column('admin.headChange', (row) => describe(row, chargingOf), { shrinks: true }),
  ];
}

function describe({ row, answer }: GrantOutcome, chargingOf: ChargingOf): string {
  if (answer === undefined || answer.outcome === 'not-done') return phrase('admin.runItAgain');
  if (answer.outcome === 'refused') return describeProblem(answer.problem);
  return describeChange(answer.change, chargingOf(row.hpc.toUpperCase()));
}
