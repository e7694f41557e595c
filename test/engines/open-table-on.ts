import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { setCredentials } from './credentials.ts';
import { type Engine, embedded } from './engines.ts';
import { openInProcessTable } from './in-process.ts';

export interface OpenedTable {
  readonly table: Table;
  close(): Promise<void>;
}

/** The service's own table on an engine; on the embedded one without the way over a socket. */
export async function openTableOn(engine: Engine, name: string): Promise<OpenedTable> {
  if (engine === embedded) return openInProcessTable(name);
  const { endpoint, close } = await engine.start();
  setCredentials();
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  await createTable(name);
  // Many transactions at once are written one after the other by the Java process. On a busy machine
  // the last of them waits longer than the service would.
  const table = openTable(name, { attemptMs: 60_000 });
  return {
    table,
    async close() {
      table.client.destroy();
      await close();
    },
  };
}
