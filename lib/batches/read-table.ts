import { buffer } from 'node:stream/consumers';
import { brokenQuotes, type CsvRecord, splitRecords } from '#lib/csv/split-records.ts';
import type { RangeStore } from '#lib/zips/range-reader.ts';
import { openStoredZip, readEntries, unpack } from '#lib/zips/stored-zip.ts';
import { mostJobs } from './batch.ts';
import { BadTableError, type TableProblem } from './errors.ts';
import { type BatchRows, indexColumn } from './fill-template.ts';

const mostColumns = 50;
const mostBytes = 10_000_000;

/** A column can be a variable of the environment, and stands in texts as `{name}`. */
const columnForm = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** A table with the line of each row, for messages. */
export interface NumberedRows extends BatchRows {
  readonly lines: readonly number[];
}

interface StoredZip {
  readonly store: RangeStore;
  readonly key: string;
  readonly bytes: number;
}

/** Reads a table from a zip. Throws a BadTableError with everything that is wrong with it. */
export async function readTable(
  { store, key, bytes }: StoredZip,
  name: string,
): Promise<NumberedRows> {
  const zip = await openStoredZip(store, key, bytes);
  const entry = (await readEntries(zip)).findLast(({ fileName }) => fileName === name);
  if (!entry) throw new BadTableError(name, [{ message: `The zip has no file '${name}'.` }]);
  if (entry.uncompressedSize > mostBytes) {
    const message = `It has ${entry.uncompressedSize} bytes, but at most ${mostBytes} are allowed.`;
    throw new BadTableError(name, [{ message }]);
  }
  const text = decode(await buffer(unpack(zip, entry)));
  if (text === undefined) {
    throw new BadTableError(name, [{ message: 'It is not text in UTF-8.' }]);
  }
  return parseTable(text, name);
}

/** Skips the byte order mark that some programs write. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function parseTable(text: string, name: string): NumberedRows {
  const [header, ...records] = splitRecords(text);
  const columns = header?.cells?.map((cell) => cell.trim()) ?? [];
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
