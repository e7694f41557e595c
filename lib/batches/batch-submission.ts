import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  costFor,
  fingerprintSubmission,
  holdFor,
  type Submission,
  type Wish,
} from '#lib/jobs/submit/submission.ts';
import { kilobytesOf } from '#lib/quotas/holds.ts';
import type { Hold } from '#lib/quotas/quota.ts';
import { BadTableError, type TableProblem } from './errors.ts';
import { type BatchRows, compileTemplate, type JobValues } from './fill-template.ts';
import {
  decodeTable,
  parseTable,
  surveyTable,
  type TableFile,
  type TableSurvey,
} from './read-table.ts';

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

/** The hold of a batch: that of one job for each job, and the zip, which they share, once. */
export function holdForAll(wish: Wish, count: number, inputBytes: number): Hold {
  const { seconds } = holdFor(wish, 0);
  return { seconds: seconds * count, kilobytes: kilobytesOf(inputBytes) };
}

/** The most that all jobs of a batch can cost. Undefined on systems without a price. */
export function costForAll(wish: Wish, count: number): number | undefined {
  const cost = costFor(wish);
  return cost === undefined ? undefined : cost * count;
}

/** The texts of one job. */
export interface JobTexts {
  readonly program: string;
  readonly title: string;
  readonly extras: Readonly<Record<string, string>>;
}

/** Prepares to write the texts of each job, so that many jobs cost little. */
export function compileTexts(
  { program, title, extras }: JobTexts,
  columns: readonly string[],
): (values: JobValues) => JobTexts {
  const fillProgram = compileTemplate(program, columns);
  const fillTitle = compileTemplate(title, columns);
  const fillExtras = Object.entries(extras).map(
    ([name, text]) => [name, compileTemplate(text, columns)] as const,
  );
  return (values) => ({
    program: fillProgram(values),
    title: fillTitle(values),
    extras: Object.fromEntries(fillExtras.map(([name, fill]) => [name, fill(values)])),
  });
}

const longestTitle = 200;

/** How many jobs there are, and which values they have. */
export interface CheckedTable {
  readonly columns: readonly string[];
  readonly count: number;
}

/**
 * Checks the texts of every job against the limits of its system, as for a single job. Throws a
 * BadTableError with all problems.
 */
export function checkTable(submission: BatchSubmission, table: TableFile): CheckedTable {
  const survey = surveyTable(table.bytes);
  if (survey && isClearlyFine(submission, survey, table.bytes)) return survey;
  const rows = parseTable(table);
  const { columns } = rows;
  const fill = compileTexts(submission, columns);
  const limits = limitsOf(submission);
  const problems = rows.rows.flatMap((cells, index): TableProblem[] => {
    const line = rows.lines[index];
    const wrong = columns.filter((_, at) => !isPlain(cells[at] ?? ''));
    const texts = fill({ index, columns, cells });
    return [
      ...wrong.map((column) => ({ line, message: `${column}: ${notPlain}` })),
      ...judgeTexts(texts, limits).map((message) => ({ line, message })),
    ];
  });
  if (problems.length > 0) throw new BadTableError(table.name, problems);
  return { columns, count: rows.rows.length };
}

/**
 * Judges all rows at once, because judging 10,000 one by one would take longer than all the rest of
 * the answer: whether texts with the longest value of each column fit, and a program without values
 * is not empty.
 */
function isClearlyFine(
  submission: BatchSubmission,
  { columns, count, longest }: TableSurvey,
  bytes: Uint8Array,
): boolean {
  const fill = compileTexts(submission, columns);
  const index = count - 1;
  const texts = fill({ index, columns, cells: longest });
  const { program } = fill({ index, columns, cells: [] });
  const isShort = judgeTexts(texts, limitsOf(submission)).length === 0;
  // The survey has found no control characters of ASCII.
  return isShort && program.trim() !== '' && (isAscii(bytes) || isPlain(decodeTable(bytes)));
}

/** Finds what is too long in a batch that differs only in the index. Its last job is the longest. */
export function judgeLast(submission: BatchSubmission, count: number): string[] {
  const last = { index: count - 1, columns: [], cells: [] };
  return judgeTexts(compileTexts(submission, [])(last), limitsOf(submission));
}

type Limits = ReadonlyMap<string, number>;

function limitsOf({ system: { program, extraFields } }: BatchSubmission): Limits {
  return new Map([
    [program.field, program.maxLength],
    ['title', longestTitle],
    ...extraFields.map(({ name, maxLength }) => [name, maxLength] as const),
  ]);
}

function judgeTexts({ program, title, extras }: JobTexts, limits: Limits): string[] {
  const [field = 'command'] = limits.keys();
  const problems = [...Object.entries({ [field]: program, title, ...extras })].flatMap(
    ([name, text]) => {
      const most = limits.get(name) ?? 0;
      if (text.length <= most || [...text].length <= most) return [];
      return [`${name} has ${[...text].length} characters, but at most ${most} are allowed.`];
    },
  );
  return program.trim() === '' ? [...problems, `${field} must not be empty.`] : problems;
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

const mostPreviewed = 5;
