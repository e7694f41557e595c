import type { Callback, Store, TableDb } from 'dynalite/db/index.js';
import type { Result } from '../dynalite/dynalite-operations.ts';
import {
  parseRequest,
  runAction,
  tableChanges,
  tableMetadata,
} from '../dynalite/dynalite-operations.ts';
import type { Engine } from '../engine/engine.ts';
import { timeToLivePrefix } from '../engine/key-layout.ts';

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
 * dynalite writes a changed table twice: with its transient status, and from a timer, after it has
 * answered, with the final one. Until then the next request finds the table missing, and after a
 * crash every request would. So the first write is left out, and the second waited for.
 */
function settleTables(store: Store): { view: Store; settled: Promise<void> } {
  const { promise: settled, resolve, reject } = Promise.withResolvers<void>();
  let isTransient = true;
  const writeFinal = (callback: Callback<void>, write: (done: Callback<void>) => void): void => {
    if (isTransient) {
      isTransient = false;
      callback(null);
      return;
    }
    write((error) => {
      callback(error);
      if (error) reject(error);
      else resolve();
    });
  };
  const tableDb: TableDb = {
    ...store.tableDb,
    put: (key, value, callback) =>
      writeFinal(callback, (done) => store.tableDb.put(key, value, done)),
    del: (key, callback) => writeFinal(callback, (done) => store.tableDb.del(key, done)),
  };
  return { view: { ...store, tableDb }, settled };
}
