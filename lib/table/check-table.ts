import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { TableUnavailableError } from './errors.ts';
import { counterKey } from './keys.ts';
import type { Table } from './table.ts';

/** The cheapest read there is, whose answer does not matter. Whatever keeps it away is the same. */
export async function checkTable(table: Table): Promise<void> {
  try {
    await table.client.send(new GetCommand({ TableName: table.name, Key: counterKey('job') }));
  } catch (error) {
    throw new TableUnavailableError({ cause: error });
  }
}
