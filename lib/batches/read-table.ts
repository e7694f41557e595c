import { isAscii, isUtf8 } from 'node:buffer';
import { brokenQuotes, type CsvRecord, splitFirst, splitRecords } from '#lib/csv/split-records.ts';
import { surveyRecords } from '#lib/csv/survey-records.ts';
import type { RangeStore } from '#lib/zips/range-reader.ts';
import {
  openStoredZip,
  readEntries,
  UnreadableEntryError,
  unpackSmall,
} from '#lib/zips/stored-zip.ts';
import { mostJobs } from './batch.ts';
import { BadTableError, type TableProblem } from './errors.ts';
import { type BatchRows, indexColumn } from './fill-template.ts';

const mostColumns = 50;
const mostBytes = 10_000_000;
/** More than fifty names of 64 characters need. */
const longestHeader = 8192;

/** A column can be a variable of the environment, and stands in texts as `{name}`. */
const columnForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** A table with the line of each row, for messages. */
export interface NumberedRows extends BatchRows {
  readonly lines: readonly number[];
}

/** A table as it is in its zip, in UTF-8. */
export interface TableFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface StoredZip {
  readonly store: RangeStore;
  readonly key: string;
  readonly bytes: number;
}

/** Reads a table from a zip. Throws a BadTableError if there is none. */
export async function readTable(
  { store, key, bytes: zipBytes }: StoredZip,
  name: string,
): Promise<TableFile> {
  const zip = await openStoredZip(store, key, zipBytes);
  const entry = (await readEntries(zip)).findLast(({ fileName }) => fileName === name);
  if (!entry) throw new BadTableError(name, [{ message: `The zip has no file '${name}'.` }]);
  if (entry.uncompressedSize > mostBytes) {
    const message = `It has ${entry.uncompressedSize} bytes, but at most ${mostBytes} are allowed.`;
    throw new BadTableError(name, [{ message }]);
  }
  const bytes = await unpackSmall({ store, key }, zip, entry).catch((error: unknown) => {
    if (!(error instanceof UnreadableEntryError)) throw error;
    throw new BadTableError(name, [{ message: 'It is damaged and cannot be unpacked.' }]);
  });
  if (!isUtf8(bytes)) throw new BadTableError(name, [{ message: 'It is not text in UTF-8.' }]);
  return { name, bytes };
}

/** Skips the byte order mark that some programs write. */
export function decodeTable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** What the check of a table needs to know, unless something about it needs a closer look. */
export interface TableSurvey {
  readonly columns: readonly string[];
  readonly count: number;
  /** A cell for each column, as long as any of it. */
  readonly longest: readonly string[];
}

/** Returns undefined if a table may have a mistake. parseTable finds out. */
export function surveyTable(bytes: Uint8Array): TableSurvey | undefined {
  const header = splitFirst(decodeTable(bytes.subarray(0, longestHeader)));
  if (!header || header.next >= longestHeader) return undefined;
  // Beyond ASCII, and after a byte order mark, a header has more bytes than characters.
  if (!isAscii(bytes.subarray(0, header.next))) return undefined;
  const columns = readColumns(header.cells);
  if (judgeHeader({ line: 1, cells: header.cells }, columns).length > 0) return undefined;
  const survey = surveyRecords(bytes, header.next, columns.length);
  if (!survey || survey.records === 0 || survey.records > mostJobs) return undefined;
  const longest = survey.longest.map((length) => 'x'.repeat(length));
  return { columns, count: survey.records, longest };
}

/** Parses a table. Throws a BadTableError with everything that is wrong with it. */
export function parseTable({ bytes, name }: TableFile): NumberedRows {
  const [header, ...records] = splitRecords(decodeTable(bytes));
  const columns = readColumns(header?.cells ?? []);
  const problems = [
    ...judgeHeader(header, columns),
    ...judgeSize(records),
    ...records.flatMap((record) => judgeRecord(record, columns.length)),
  ];
  if (problems.length > 0) throw new BadTableError(name, problems);
  return {
    columns,
    rows: records.map(({ cells = [] }) => cells),
    lines: records.map(({ line }) => line),
  };
}

function readColumns(cells: readonly string[]): readonly string[] {
  return cells.map((cell) => cell.trim());
}

function judgeHeader(
  header: CsvRecord | undefined,
  columns: readonly string[],
): readonly TableProblem[] {
  if (!header) return [{ message: 'It is empty. The first line names the columns.' }];
  const { line, cells } = header;
  if (!cells) return [{ line, message: brokenQuotes }];
  if (columns.length > mostColumns) {
    const message = `It has ${columns.length} columns, but at most ${mostColumns} are allowed.`;
    return [{ line, message }];
  }
  const lower = columns.map((column) => column.toLowerCase());
  return columns.flatMap((column, at) => {
    if (!columnForm.test(column)) {
      const message = `The column '${column}' needs a name of letters, digits and underscores that does not begin with a digit.`;
      return [{ line, message }];
    }
    const name = lower[at];
    if (name === indexColumn) {
      const message = `A column cannot be called '${column}', because {index} is the number of the job.`;
      return [{ line, message }];
    }
    return lower.indexOf(name ?? '') < at
      ? [{ line, message: `The column '${column}' is named twice.` }]
      : [];
  });
}

function judgeSize(records: readonly CsvRecord[]): readonly TableProblem[] {
  if (records.length === 0) return [{ message: 'It has no rows. Each row is a job.' }];
  if (records.length <= mostJobs) return [];
  return [{ message: `It has ${records.length} rows, but at most ${mostJobs} are allowed.` }];
}

function judgeRecord({ line, cells }: CsvRecord, columns: number): readonly TableProblem[] {
  if (!cells) return [{ line, message: brokenQuotes }];
  if (cells.length === columns) return [];
  const message = `It has ${cells.length} cells, but the first line names ${columns} columns.`;
  return [{ line, message }];
}
