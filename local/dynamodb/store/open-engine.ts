import { ChangeStream, type Wanted } from './change-stream.ts';
import type { Engine } from './engine.ts';
import { GroupCommit } from './group-commit.ts';
import { ItemStore } from './item-store.ts';
import { type DataCheck, openDatabase } from './open-database.ts';
import { TableStore } from './table-store.ts';

export interface EngineOptions {
  /** Directory of the data. Without it everything is in memory, and gone after `close`. */
  readonly path?: string;
  /** How thoroughly the data is looked through first. */
  readonly check?: DataCheck;
  /** Milliseconds since 1970: what times to live and transaction tokens are measured against. */
  readonly now?: () => number;
  /** Which changes go into the stream; without it none do. */
  readonly wanted?: Wanted;
}

export function openEngine({
  path,
  check = 'quick',
  now = Date.now,
  wanted,
}: EngineOptions = {}): Engine {
  const database = openDatabase(path, check);
  const commits = new GroupCommit(database);
  const tables = new TableStore(database);
  return {
    database,
    commits,
    tables,
    items: new ItemStore(database, tables),
    stream: wanted && new ChangeStream(database, commits, wanted, now),
    now,
  };
}
