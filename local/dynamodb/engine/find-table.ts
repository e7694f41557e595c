import type { Callback, Store, Table } from 'dynalite/db/index.js';
import { tableKey } from './key-layout.ts';

/** Looks a table up at once, where dynalite takes a turn of the event loop, and remembers it. */
export function findTable(
  store: Store,
  found: Map<string, Table>,
  name: string,
  callback: Callback<Table>,
): void {
  const table = store.db.getSync<Table>(tableKey(name));
  if (table?.TableStatus === 'ACTIVE') {
    found.set(name, table);
    callback(null, table);
  } else {
    // How a table is refused that is missing, or not ready, is dynalite's to say.
    store.getTable(name, callback);
  }
}
