import { isUtf8 } from 'node:buffer';
import { type CsvRecord, cutCells, readRecords } from '#client/src/rows/read-records.ts';
import { explainFault } from '#lib/csv/explain-fault.ts';
import type { RangeStore } from '#lib/zips/range-reader.ts';
import { mostJobs } from './batch.ts';
import { BadTableError, mostProblems, type TableProblem } from './errors.ts';
import { indexColumn } from './fill-template.ts';

const mostColumns = 50;
const mostBytes = 10_000_000;
/** One transaction writes the rows of 33 jobs, and may have 4 MB. */
const mostRowBytes = 90_000;

/** A column can be a variable of the environment, and stands in texts as `{name}`. */
const columnForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** A table as it is in its zip. */
export interface TableFile {
  readonly name: string;
  readonly text: string;
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
  // A cold start without a table loads no reader of zips.
  const { openStoredZip, readEntries, UnreadableEntryError, unpackSmall } = await import(
    '#lib/zips/stored-zip.ts'
  );
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
  return { name, text: decodeTable(bytes) };
}

export function decodeTable(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Finds what is wrong with the row of a job, by its place. */
export type JudgeRow = (row: CsvRecord, place: number) => readonly TableProblem[];

/**
 * Reads a table and returns how many rows it has. Throws a BadTableError with what is wrong. Reads
 * no further than the first row or problem too many, so that a table of any length takes no longer.
 */
export function judgeTable(
  { name, text }: TableFile,
  prepare: (columns: readonly string[]) => JudgeRow,
): number {
  const records = readRecords(text);
  const { value: header } = records.next();
  const columns = header ? cutCells(header).map((cell) => cell.trim()) : [];
  const problems = judgeHeader(header, columns);
  const judgeRow = problems.length === 0 ? prepare(columns) : () => [];
  let count = 0;
  for (const record of records) {
    const { line } = record;
    const message = judgeShape(record, columns.length);
    const found = message === undefined ? judgeRow(record, count) : [{ line, message }];
    problems.push(...found);
    count += 1;
    if (count > mostJobs || problems.length > mostProblems) break;
  }
  if (count > mostJobs) {
    problems.unshift({ message: `It has more than the ${mostJobs} rows allowed.` });
  }
  if (count === 0 && problems.length === 0) {
    problems.push({ message: 'It has no rows. Each row is a job.' });
  }
  if (problems.length > 0) throw new BadTableError(name, problems);
  return count;
}

function judgeHeader(header: CsvRecord | undefined, columns: readonly string[]): TableProblem[] {
  if (!header) return [{ message: 'It is empty. The first line names the columns.' }];
  const { line } = header;
  const fault = explainFault(header);
  if (fault !== undefined) return [{ line, message: fault }];
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
    const name = column.toLowerCase();
    if (name === indexColumn) {
      const message = `A column cannot be called '${column}', because {index} is the number of the job.`;
      return [{ line, message }];
    }
    return lower.indexOf(name) < at
      ? [{ line, message: `The column '${column}' is named twice.` }]
      : [];
  });
}

/** Returns why a record cannot be a row of so many columns. */
function judgeShape(record: CsvRecord, columns: number): string | undefined {
  const { size, fault } = record;
  if (fault) return explainFault(record);
  if (size !== columns) return `It has ${size} cells, but the first line names ${columns} columns.`;
  const bytes = measureRow(record);
  return bytes > mostRowBytes
    ? `Its cells have ${bytes} bytes, but at most ${mostRowBytes} are allowed.`
    : undefined;
}

/** Counts bytes only if they matter. A letter takes at most three in UTF-8. */
function measureRow(record: CsvRecord): number {
  const most = (record.end - record.start) * 3;
  return most <= mostRowBytes ? most : Buffer.byteLength(cutCells(record).join(''));
}
