import type { ChangeStream } from './change-stream.ts';
import type { Database } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import type { ItemStore } from './item-store.ts';
import type { TableStore } from './table-store.ts';

/** The parts of the engine that every operation uses. */
export interface Engine {
  readonly database: Database;
  /** Groups the commits of callers that can wait for the next turn. */
  readonly commits: GroupCommit;
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly stream: ChangeStream | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}
