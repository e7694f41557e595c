import type { Callback, Store, Table } from 'dynalite/db/index.js';
import { tableKey } from './key-layout.ts';

/** Descriptions that were read once already, by their text: nobody changes what is found. */
const parsed = new WeakMap<Store, Map<string, Table>>();

/** Looks a table up at once, where dynalite takes a turn of the event loop, and remembers it. */
export function findTable(
  store: Store,
  found: Map<string, Table>,
  name: string,
  callback: Callback<Table>,
): void {
  const text = store.db.getSync<string>(tableKey(name), { valueEncoding: 'utf8' });
  const table = text === undefined ? undefined : parseTable(store, text);
  if (table?.TableStatus === 'ACTIVE') {
    found.set(name, table);
    callback(null, table);
  } else {
    // How a table is refused that is missing, or not ready, is dynalite's to say.
    store.getTable(name, callback);
  }
}

/** Every request asks for its table, whose description is long and the same for days. */
function parseTable(store: Store, text: string): Table {
  const known = parsed.get(store) ?? new Map<string, Table>();
  parsed.set(store, known);
  const table: Table = known.get(text) ?? JSON.parse(text);
  known.set(text, table);
  return table;
}
