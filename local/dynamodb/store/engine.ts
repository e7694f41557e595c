import type { ChangeStream } from './change-stream.ts';
import type { Database } from './database.ts';
import type { ItemStore } from './item-store.ts';
import type { TableStore } from './table-store.ts';

/** What every operation works on. */
export interface Engine {
  readonly database: Database;
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly stream: ChangeStream | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}
