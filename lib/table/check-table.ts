import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { counterKey } from './keys.ts';
import type { Table } from './table.ts';

/** The cheapest read there is, whose answer does not matter: it throws where the table is away. */
export async function checkTable(table: Table): Promise<void> {
  await table.client.send(new GetCommand({ TableName: table.name, Key: counterKey('job') }));
}
