import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#lib/table/table.ts';

/** The kind of each item in the table, in order: what functions left there, without its ids. */
export async function listTypes({ client, name }: Table): Promise<string[]> {
  const types: string[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name })) {
    types.push(...Items.map(({ type }) => String(type)));
  }
  return types.toSorted();
}
