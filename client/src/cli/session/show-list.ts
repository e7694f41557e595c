import { writeCsv } from '../screen/write-csv.ts';
import type { Column } from '../screen/write-table.ts';
import type { Session } from './session.ts';

interface Listing<Row> {
  readonly rows: readonly (Row & object)[];
  readonly columns: readonly Column<Row>[];
  readonly csv?: boolean | undefined;
  /** Where there is none: what to do about it. */
  readonly none: string;
}

/** A list for whoever reads it: as the service sent it, as CSV, or as a table. */
export function showList<Row>({ screen, json }: Session, listing: Listing<Row>): void {
  const { rows, columns, csv, none } = listing;
  if (json) screen.say(JSON.stringify(rows, null, 2));
  else if (csv) screen.raw(writeCsv(rows));
  else if (rows.length === 0) screen.tell(none);
  else screen.say(...screen.layOut(rows, columns));
}
