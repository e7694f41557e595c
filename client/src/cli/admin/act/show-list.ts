import { writeCsv } from '../../screen/write-csv.ts';
import type { Column } from '../../screen/write-table.ts';
import type { Session } from '../../session/session.ts';

interface Showing<Row> {
  readonly columns: readonly Column<Row>[];
  readonly csv?: boolean | undefined;
  /** What to say where there is nothing. */
  readonly none: string;
}

/** A list for whoever reads it: a table, or all fields for programs. */
export function showList<Row extends Readonly<Record<string, unknown>>>(
  { screen, json }: Session,
  rows: readonly Row[],
  { columns, csv = false, none }: Showing<Row>,
): void {
  if (json) screen.say(JSON.stringify(rows, null, 2));
  else if (csv) screen.raw(writeCsv(rows));
  else if (rows.length === 0) screen.tell(none);
  else screen.say(...screen.layOut(rows, columns));
}
