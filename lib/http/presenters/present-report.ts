import type { UserId } from '#lib/catalog/identifiers.ts';
import { type Durations, findPercentile } from '#lib/reports/durations.ts';
import type { Dimension, ReportRow } from '#lib/reports/report.ts';

type Cell = string | number | null;

const columns: Readonly<Record<Dimension, readonly string[]>> = {
  user: ['user'],
  project: ['project_hpc', 'project_name'],
  system: ['project_hpc'],
  day: ['day'],
  month: ['month'],
};

const numbers = [
  'time_used',
  'jobs_ended',
  'jobs_failed',
  'jobs_cancelled',
  'queue_time_median',
  'queue_time_p95',
  'run_time_median',
  'run_time_p95',
  'time_asked',
] as const;

/** What users are called, if the report is to say so. */
type Names = ReadonlyMap<UserId, string> | undefined;

export function presentRow(
  by: readonly Dimension[],
  row: ReportRow,
  names?: Names,
): Record<string, Cell> {
  const cells = presentCells(row, names);
  return Object.fromEntries(
    listColumns(by, names).map((column) => [column, cells[column] ?? null]),
  );
}

/** Lists columns in a fixed order, whatever the order of `by`. */
export function listColumns(by: readonly Dimension[], names?: Names): string[] {
  const order = Object.entries(columns).flatMap(([dimension, columnNames]) =>
    by.some((each) => each === dimension) ? columnNames : [],
  );
  const withNames = order.flatMap((column) =>
    column === 'user' && names ? [column, 'name'] : [column],
  );
  return [...withNames, ...numbers];
}

function presentCells(
  { names, usage }: ReportRow,
  nameOf: Names,
): Readonly<Record<string, Cell | undefined>> {
  const { user, hpc, project, day, month } = names;
  const { used, asked, jobs, failed, cancelled, waited, ran } = usage;
  return {
    user,
    name: user && nameOf?.get(user),
    project_hpc: hpc?.toUpperCase(),
    project_name: project,
    day,
    month,
    time_used: used,
    jobs_ended: jobs,
    jobs_failed: failed,
    jobs_cancelled: cancelled,
    queue_time_median: median(waited),
    queue_time_p95: findPercentile(waited, 0.95),
    run_time_median: median(ran),
    run_time_p95: findPercentile(ran, 0.95),
    time_asked: asked,
  } satisfies Record<(typeof numbers)[number], unknown> & Record<string, Cell | undefined>;
}

function median(durations: Durations): number | undefined {
  return findPercentile(durations, 0.5);
}

/** Writes RFC 4180: a header line, lines that end in CRLF, empty cells for null. */
export function writeCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
  return lines.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula. Today no name can start
 * like one; this protects whatever columns come later.
 */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
