import type { Table } from '#lib/table/table.ts';
import { chooseTable } from './choose-table.ts';

/** Says at once where the tool will work; not on the standard output, which may be a file. */
export async function openChosenTable(named: string | undefined): Promise<Table> {
  const { table, description } = await chooseTable(named);
  process.stderr.write(`Working on ${description}\n`);
  return table;
}
