import { phrase } from '../words/rows.ts';
import { CsvBroken, type CsvRow, parseCsv } from './parse-csv.ts';
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

/**
 * Reads a table of grants and collects all its problems, so that nobody sends half of it. Of more
 * than `most` rows it reads one too many.
 */
export async function readGrants(
  text: string,
  findPlace: FindPlace,
  most = Number.POSITIVE_INFINITY,
): Promise<GrantTable> {
  const problems = new Map<number, string>();
  const rows: GrantOfTable[] = [];
  try {
    for (const { line, cells } of parse(text)) {
      try {
        rows.push({ line, row: await readGrantRow(cells, findPlace) });
      } catch (error) {
        if (!(error instanceof RowUnreadable)) throw error;
        problems.set(line, error.message);
      }
      if (rows.length + problems.size > most) break;
    }
    if (rows.length + problems.size === 0) throw new CsvBroken(phrase('noRows'));
    return { rows, problems };
  } catch (error) {
    if (!(error instanceof CsvBroken)) throw error;
    return { rows: [], problems: new Map([[0, error.message]]) };
  }
}

function parse(text: string): Iterable<CsvRow> {
  const { names, rows } = parseCsv(text);
  const unknown = names.filter((name) => !columnNames.some((known) => known === name));
  if (unknown.length === 0) return rows;
  const known = columnNames.join(', ');
  throw new CsvBroken(phrase('unknownColumns', { unknown: unknown.join(', '), known }));
}
