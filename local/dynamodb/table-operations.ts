import type { Store, TableDb } from 'dynalite/db/index.js';
import type { Result } from './dynalite-operations.ts';
import { parseRequest, runAction, tableChanges, tableMetadata } from './dynalite-operations.ts';
import type { Engine } from './engine.ts';
import { timeToLivePrefix } from './key-layout.ts';

export async function changeTable(
  { store, queue }: Engine,
  name: keyof typeof tableChanges,
  body: unknown,
): Promise<Result> {
  const request = parseRequest<{ TableName: string }>(store, tableChanges[name], body);
  return queue.run(async () => {
    const settling = settleTables(store);
    const result = await runAction(tableChanges[name], settling.view, request);
    await settling.settled;
    if (name === 'DeleteTable') {
      await store.db.batch([{ type: 'del', key: timeToLivePrefix + request.TableName }]);
    }
    return result;
  });
}

export async function handleMetadata(
  { store }: Engine,
  name: keyof typeof tableMetadata,
  body: unknown,
): Promise<Result> {
  return runAction(tableMetadata[name], store, parseRequest(store, tableMetadata[name], body));
}

/**
 * dynalite answers a change of a table with its transient status, and writes the final one from a
 * timer: the next request could find the table missing. Every change is two writes of the table's
 * record, so it is settled after the second.
 */
function settleTables(store: Store): { view: Store; settled: Promise<void> } {
  const { promise: settled, resolve, reject } = Promise.withResolvers<void>();
  let writes = 0;
  const countWrite = (error: Error | null): void => {
    writes += 1;
    if (error) reject(error);
    else if (writes === 2) resolve();
  };
  // Where the first write fails, the action itself reports it and nobody waits here.
  settled.catch(() => undefined);
  const tableDb: TableDb = {
    ...store.tableDb,
    put(key, value, callback) {
      store.tableDb.put(key, value, (error) => {
        callback(error);
        countWrite(error);
      });
    },
    del(key, callback) {
      store.tableDb.del(key, (error) => {
        callback(error);
        countWrite(error);
      });
    },
  };
  return { view: { ...store, tableDb }, settled };
}
