import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database } from './database.ts';

const fileName = 'table.sqlite';
/** Rises with each change of the layout below. */
const version = 1;

const layout = `
  CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,
    time_to_live TEXT
  ) STRICT;
  CREATE TABLE tokens (token TEXT PRIMARY KEY, digest TEXT NOT NULL, expires INTEGER NOT NULL) STRICT;
  CREATE INDEX tokens_by_expiry ON tokens (expires);
  CREATE TABLE stream (sequence INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL) STRICT;
  CREATE TABLE stream_readers (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
`;

/** In the directory `path`, made where it is missing, or in memory. */
export function openDatabase(path: string | undefined): Database {
  if (path === undefined) return prepare(new DatabaseSync(':memory:'));
  let opened: DatabaseSync | undefined;
  try {
    mkdirSync(path, { recursive: true });
    refuseOldForm(path);
    opened = new DatabaseSync(join(path, fileName), { timeout: 0 });
    return prepare(opened);
  } catch (error) {
    opened?.close();
    throw new Error(explain(path, error), { cause: error });
  }
}

class OldFormError extends Error {}

/** What LevelDB leaves in a folder: how the table was kept before. */
function refuseOldForm(path: string): void {
  if (existsSync(join(path, 'CURRENT'))) throw new OldFormError();
}

/**
 * A commit is in the log of the database before it is answered, so that a process may be killed at
 * any moment. The log is not forced to the disk at each one: a power cut may take the last
 * transactions, but never a part of one. One process has the file for itself.
 */
function prepare(connection: DatabaseSync): Database {
  connection.exec(`
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
  `);
  const database = new Database(connection);
  database.transact(() => {
    const { user_version: found } = Object(database.statement('PRAGMA user_version').get());
    if (found === 0) connection.exec(`${layout} PRAGMA user_version = ${version}`);
    else if (found !== version) throw new Error(`its layout is version ${found}, not ${version}`);
  });
  return database;
}

/** SQLite's own numbers for what went wrong. */
const busy = 5;
const corrupt = 11;
const noDatabase = 26;

function explain(path: string, error: unknown): string {
  if (error instanceof OldFormError) {
    return (
      `The data in ${path} is in the form of an earlier version, which this one cannot read. ` +
      'Move the folder away, or choose another one with DATA_DIR.'
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  switch (code) {
    case busy:
      return `The database in ${path} is already in use, probably by another Slipway.`;
    case corrupt:
    case noDatabase:
      return `The database in ${path} is damaged (${reason}).`;
    default:
      return `The database in ${path} cannot be opened (${reason}).`;
  }
}
