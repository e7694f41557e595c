import { phrase } from '../words/rows.ts';
import { CsvBroken, parseCsv } from './parse-csv.ts';
import { columnNames, type FindPlace, RowUnreadable, readGrantRow } from './read-grant-row.ts';
import type { GrantRow } from './send-rows.ts';

export interface GrantOfTable {
  readonly line: number;
  readonly row: GrantRow;
}

export interface GrantTable {
  readonly rows: readonly GrantOfTable[];
  /** Problems by line; line 0 stands for the table as a whole. */
  readonly problems: ReadonlyMap<number, string>;
}

/** Reads a table of grants and collects all its problems, so that nobody sends half of it. */
export async function readGrants(text: string, findPlace: FindPlace): Promise<GrantTable> {
  const table = parse(text);
  if (typeof table === 'string') return { rows: [], problems: new Map([[0, table]]) };
  const problems = new Map<number, string>();
  const rows: GrantOfTable[] = [];
  for (const { line, cells } of table) {
    try {
      rows.push({ line, row: await readGrantRow(cells, findPlace) });
    } catch (error) {
      if (!(error instanceof RowUnreadable)) throw error;
      problems.set(line, error.message);
    }
  }
  return { rows, problems };
}

/** Returns the rows, or why there are none. */
function parse(text: string): ReturnType<typeof parseCsv>['rows'] | string {
  try {
    const { names, rows } = parseCsv(text);
    const unknown = names.filter((name) => !columnNames.some((known) => known === name));
    if (unknown.length > 0) {
      return phrase('unknownColumns', {
        unknown: unknown.join(', '),
        known: columnNames.join(', '),
      });
    }
    return rows.length > 0 ? rows : phrase('noRows');
  } catch (error) {
    if (error instanceof CsvBroken) return error.message;
    throw error;
  }
}
