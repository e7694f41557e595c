import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { PrimaryKey } from '../keys.ts';
import type { Table } from '../table.ts';

/** Reads one item, strongly consistent. */
export async function readItem(
  table: Table,
  { PK, SK }: PrimaryKey,
): Promise<Record<string, unknown> | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  return Item;
}
