import type { ChangeStream } from './store/change-stream.ts';
import type { Database } from './store/database.ts';
import type { ItemStore } from './store/item-store.ts';
import type { TableStore } from './store/table-store.ts';

/** What every operation works on. */
export interface Engine {
  readonly database: Database;
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly stream: ChangeStream | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}
