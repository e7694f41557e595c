import { columnNames, type FindPlace, RowUnreadable, readGrantRow } from './read-grant-row.ts';
import { parseKnown, type ReadTable, readTable, type TableRow } from './read-table.ts';
import type { GrantRow } from './send-rows.ts';

export type GrantOfTable = TableRow<GrantRow>;
export type GrantTable = ReadTable<GrantRow>;

/** Reads a table of grants. Of more than `most` rows it reads one too many. */
export function readGrants(
  text: string,
  findPlace: FindPlace,
  most = Number.POSITIVE_INFINITY,
): Promise<GrantTable> {
  return readTable(async (problems) => {
    const rows: GrantOfTable[] = [];
    for (const { line, cells } of parseKnown(text, columnNames).rows) {
      try {
        rows.push({ line, row: await readGrantRow(cells, findPlace) });
      } catch (error) {
        if (!(error instanceof RowUnreadable)) throw error;
        problems.set(line, error.message);
      }
      if (rows.length + problems.size > most) break;
    }
    return rows;
  });
}
