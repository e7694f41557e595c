import { createHash } from 'node:crypto';
import { cutCells } from '#client/src/rows/read-records.ts';
import { type AddressedInput, judgeInputs } from '#lib/catalog/input-addresses.ts';
import { type AddressedOutput, judgeOutputs } from '#lib/catalog/output-addresses.ts';
import { fingerprintSubmission, type Submission } from '#lib/jobs/submit/submission.ts';
import { mostJobs } from './batch.ts';
import {
  type BatchRows,
  compileTemplate,
  countCharacters,
  type JobValues,
} from './fill-template.ts';
import { type JudgeRow, judgeTable, type TableFile } from './read-table.ts';

/** A submission whose texts have marks for the values of each job. */
export interface BatchSubmission extends Submission {
  /** How many jobs, or the name of the table in the zip that has one row for each. */
  readonly shape: { readonly count: number } | { readonly table: string };
  readonly maxRunning: number | undefined;
}

export function fingerprintBatch(submission: BatchSubmission): string {
  const { shape, maxRunning } = submission;
  const meaning = [fingerprintSubmission(submission), shape, maxRunning];
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex');
}

/** The texts of one job. */
export interface JobTexts {
  readonly program: string;
  readonly title: string;
  readonly extras: Readonly<Record<string, string>>;
  readonly fetches?: readonly AddressedInput[] | undefined;
  readonly sends?: readonly AddressedOutput[] | undefined;
}

/** Prepares to write the texts of each job, so that many jobs cost little. */
export function compileTexts(
  { program, title, extras, fetches, sends }: JobTexts,
  columns: readonly string[],
): (values: JobValues) => JobTexts {
  const forProgram = compileTemplate(program, columns);
  const forTitle = compileTemplate(title, columns);
  const forExtras = Object.entries(extras).map(
    ([name, text]) => [name, compileTemplate(text, columns)] as const,
  );
  const forFetches = compileFetches(fetches, columns);
  const forSends = compileSends(sends, columns);
  return (values) => ({
    program: forProgram.fill(values),
    title: forTitle.fill(values),
    extras: Object.fromEntries(forExtras.map(([name, text]) => [name, text.fill(values)])),
    ...(fetches && { fetches: forFetches(values) }),
    ...(sends && { sends: forSends(values) }),
  });
}

function compileFetches(fetches: readonly AddressedInput[] = [], columns: readonly string[]) {
  const compiled = fetches.map(({ from, to, sha256 }) => ({
    from: compileTemplate(from, columns),
    to: compileTemplate(to, columns),
    ...(sha256 !== undefined && { sha256: compileTemplate(sha256, columns) }),
  }));
  return (values: JobValues) =>
    compiled.map(({ from, to, sha256 }) => ({
      from: from.fill(values),
      to: to.fill(values),
      ...(sha256 && { sha256: sha256.fill(values) }),
    }));
}

function compileSends(sends: readonly AddressedOutput[] = [], columns: readonly string[]) {
  const compiled = sends.map(({ files, to }) => ({
    files: compileTemplate(files, columns),
    to: compileTemplate(to, columns),
  }));
  return (values: JobValues) =>
    compiled.map(({ files, to }) => ({ files: files.fill(values), to: to.fill(values) }));
}

const longestTitle = 200;

/**
 * Checks the texts of every job against the limits of its system, as for a single job, and returns
 * how many there are. Throws a BadTableError with what is wrong.
 */
export function checkTable(submission: BatchSubmission, table: TableFile): number {
  const isPlainTable = isPlain(table.text);
  return judgeTable(table, (columns): JudgeRow => {
    const judge = prepareJudge(submission, columns);
    return (row, place) => {
      // Judging 10,000 rows by their cells would take longer than all the rest of the answer.
      if (isPlainTable && judge.isFine(row.widest)) return noProblems;
      const { line } = row;
      const cells = cutCells(row);
      const wrong = columns.filter((_, at) => !isPlain(cells[at] ?? ''));
      return [
        ...wrong.map((column) => ({ line, message: `${column}: ${notPlain}` })),
        ...judge.explain(place, cells).map((message) => ({ line, message })),
      ];
    };
  });
}

const noProblems: readonly never[] = [];

/** Finds what is too long in a batch that differs only in the index. Its last job is the longest. */
export function judgeLast(submission: BatchSubmission, count: number): string[] {
  return prepareJudge(submission, []).explain(count - 1, []);
}

/** Prepares to judge the texts of each job by their lengths, without writing them. */
function prepareJudge(submission: BatchSubmission, columns: readonly string[]) {
  const { system, program, title, extras, fetches, sends } = submission;
  const { field, maxLength } = system.program;
  const command = compileTemplate(program, columns);
  const limits = new Map(system.extraFields.map(({ name, maxLength }) => [name, maxLength]));
  const texts = [
    { name: field, most: maxLength, text: command },
    { name: 'title', most: longestTitle, text: compileTemplate(title, columns) },
    ...Object.entries(extras).map(([name, text]) => ({
      name,
      most: limits.get(name) ?? 0,
      text: compileTemplate(text, columns),
    })),
  ];
  const forFetches = compileFetches(fetches, columns);
  const forSends = compileSends(sends, columns);
  return {
    /** True if all is well with any job whose cells are not wider. */
    isFine: (widest: number): boolean =>
      fetches === undefined &&
      sends === undefined &&
      command.hasContent([]) &&
      texts.every(({ most, text }) => text.measure(mostJobs - 1, () => widest) <= most),
    explain(index: number, cells: readonly string[]): string[] {
      const widths = cells.map(countCharacters);
      const problems = texts.flatMap(({ name, most, text }) => {
        const length = text.measure(index, (column) => widths[column] ?? 0);
        if (length <= most) return [];
        return [`${name} has ${length} characters, but at most ${most} are allowed.`];
      });
      const empty = command.hasContent(cells) ? [] : [`${field} must not be empty.`];
      const values = { index, columns, cells };
      const wrong = [
        ...judgeInputs(system, forFetches(values)),
        ...judgeOutputs(system, forSends(values)),
      ];
      return [...problems, ...empty, ...wrong.map(({ field, message }) => `${field}: ${message}`)];
    },
  };
}

/** Control characters other than tabs and line ends, and marks that change the direction. */
const notAllowed = /[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\t\n\r]]/v;

const notPlain =
  'It must not contain control characters, marks that change the writing direction, or broken Unicode.';

function isPlain(cell: string): boolean {
  return cell.isWellFormed() && !notAllowed.test(cell);
}

/** The first jobs of a batch as they would run, for a preview. */
export function previewTexts(
  submission: BatchSubmission,
  rows: BatchRows,
  count: number,
): ({ readonly index: number } & JobTexts)[] {
  const fill = compileTexts(submission, rows.columns);
  return Array.from({ length: Math.min(count, mostPreviewed) }, (_, index) => ({
    index,
    ...fill({ index, columns: rows.columns, cells: rows.rows[index] ?? [] }),
  }));
}

export const mostPreviewed = 5;
