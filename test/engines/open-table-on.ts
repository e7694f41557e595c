import { openTable, type Table } from '../../lib/table/table.ts';
import { createTable } from '../../local/create-table.ts';
import { setCredentials } from './credentials.ts';
import type { Engine } from './engines.ts';

export interface OpenedTable {
  readonly table: Table;
  readonly endpoint: string;
  close(): Promise<void>;
}

/** The service's own table on an engine, opened as the functions open it: by their environment. */
export async function openTableOn(engine: Engine, name: string): Promise<OpenedTable> {
  const { endpoint, close } = await engine.start();
  setCredentials();
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  await createTable(name);
  const table = openTable(name);
  return {
    table,
    endpoint,
    async close() {
      table.client.destroy();
      await close();
    },
  };
}
