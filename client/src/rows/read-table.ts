import { phrase } from '../words/rows.ts';
import { CsvBroken, parseCsv } from './parse-csv.ts';

/** A row of a table, with its line there. */
export interface TableRow<Row> {
  readonly line: number;
  readonly row: Row;
}

export interface ReadTable<Row> {
  readonly rows: readonly TableRow<Row>[];
  /** Problems by line; line 0 stands for the table as a whole. */
  readonly problems: ReadonlyMap<number, string>;
}

/** Collects the rows of a table and all its problems, so that nobody sends half of it. */
export async function readTable<Row>(
  read: (problems: Map<number, string>) => Promise<readonly TableRow<Row>[]>,
): Promise<ReadTable<Row>> {
  const problems = new Map<number, string>();
  try {
    const rows = await read(problems);
    if (rows.length + problems.size === 0) throw new CsvBroken(phrase('noRows'));
    return { rows, problems };
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error;
    return { rows: [], problems: new Map([[0, error.message]]) };
  }
}

/** Parses a table, and refuses columns that nobody knows. */
export function parseKnown(text: string, columns: readonly string[]) {
  const parsed = parseCsv(text);
  const unknown = parsed.names.filter((name) => !columns.includes(name));
  if (unknown.length === 0) return parsed;
  const names = { unknown: unknown.join(', '), known: columns.join(', ') };
  throw new CsvBroken(phrase('unknownColumns', names));
}
