import { afterAll, beforeAll } from 'vitest';
import type { Engine } from './engines.ts';
import { openTables, type Tables } from './open-tables.ts';

/** Starts an engine for the tests of a block, and closes it after them. */
export function useTables(start: Engine['start']): Omit<Tables, 'destroy'> {
  let running: Awaited<ReturnType<Engine['start']>>;
  let tables: Tables;
  beforeAll(async () => {
    running = await start();
    tables = openTables(running.endpoint);
  });
  afterAll(async () => {
    tables.destroy();
    await running.close();
  });
  return {
    get client() {
      return tables.client;
    },
    get documents() {
      return tables.documents;
    },
    create: () => tables.create(),
    remove: (name) => tables.remove(name),
  };
}
