import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPrivateFolder } from '../../credentials/private-folder.ts';
import { DamageError, Database, damageHelp, kindOf } from './database.ts';
import { indexTable, itemsTable, type TableDefinition } from './table-definition.ts';

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

/** How thoroughly a database is looked through before it is used. */
export type DataCheck = 'quick' | 'full';

/** In the directory `path`, made where it is missing, or in memory. */
export function openDatabase(path: string | undefined, check: DataCheck = 'quick'): Database {
  if (path === undefined) return prepare(new DatabaseSync(':memory:'));
  let opened: DatabaseSync | undefined;
  try {
    openPrivateFolder(path, [fileName, `${fileName}-wal`, `${fileName}-shm`]);
    refuseOldForm(path);
    inspect(path, check);
    // It is made before SQLite makes it, and the other files of the database get its mode.
    closeSync(openSync(join(path, fileName), 'a', 0o600));
    opened = new DatabaseSync(join(path, fileName), { timeout: 0 });
    return prepare(opened, path);
  } catch (error) {
    opened?.close();
    throw new Error(explain(path, error), { cause: error });
  }
}

/** What LevelDB leaves in a folder: how the table was kept before. */
function refuseOldForm(path: string): void {
  if (existsSync(join(path, 'CURRENT'))) throw new OtherLayoutError();
}

class OtherLayoutError extends Error {}

/**
 * Reads the whole database before anything is written to it, so that a damaged folder stays as it
 * was found: whoever only reads does not move the log into the main file on closing.
 */
function inspect(path: string, check: DataCheck): void {
  const file = join(path, fileName);
  if (sizeOf(file) === 0) {
    if (sizeOf(`${file}-wal`) === 0) return;
    throw new DamageError(`${fileName} is empty or missing, but its log ${fileName}-wal is there`);
  }
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    const found = Number(Object(connection.prepare('PRAGMA user_version').get()).user_version);
    if (found !== 0 && found !== version) throw new OtherLayoutError();
    const pragma = check === 'full' ? 'integrity_check' : 'quick_check';
    const [first] = connection.prepare(`PRAGMA ${pragma}(1)`).all();
    const finding = String(first?.[pragma]);
    if (finding !== 'ok') throw new DamageError(finding.replaceAll(/\s+/g, ' '));
    refuseMissingTables(connection, found);
  } finally {
    connection.close();
  }
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw new DamageError(`${file} is not a file`);
  return found?.size ?? 0;
}

function refuseMissingTables(connection: DatabaseSync, found: number): void {
  const known = connection.prepare('SELECT name FROM sqlite_schema').all();
  const names = new Set(known.map(({ name }) => String(name)));
  // Killed in its very first moment.
  if (found === 0 && names.size === 0) return;
  if (found === 0) throw new DamageError('the number of its layout is missing');
  const definitions = connection.prepare('SELECT id, definition FROM tables').all();
  const needed = definitions.flatMap(({ id, definition }) => {
    const table: TableDefinition = { ...JSON.parse(String(definition)), id: Number(id) };
    return [itemsTable(table), ...table.indexes.map((index) => indexTable(table, index))];
  });
  const own = ['tables', 'tokens', 'stream', 'stream_readers'];
  const missing = [...own, ...needed].filter((name) => !names.has(name));
  if (missing.length > 0) throw new DamageError(`missing: ${missing.join(', ')}`);
}

/**
 * A commit is in the log of the database before it is answered, so that a process may be killed at
 * any moment. The log is not forced to the disk at each one: a power cut may take the last
 * transactions, but never a part of one. One process has the file for itself.
 */
function prepare(connection: DatabaseSync, path?: string): Database {
  connection.exec(`
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = MEMORY;
  `);
  const database = new Database(connection, path);
  database.transact(() => {
    const { user_version: found } = Object(database.statement('PRAGMA user_version').get());
    if (found === 0) connection.exec(`${layout} PRAGMA user_version = ${version}`);
  });
  // A reader before this one has left it; nobody else can be there now.
  if (path !== undefined) rmSync(join(path, `${fileName}-shm`), { force: true });
  return database;
}

/** SQLite's own numbers for what went wrong. */
const busy = 5;
const readOnly = 8;
const corrupt = 11;
const cannotOpen = 14;
const noDatabase = 26;

function explain(path: string, error: unknown): string {
  if (error instanceof OtherLayoutError) {
    return (
      `The data in ${path} has the layout of another version of Slipway, which this one cannot read. ` +
      'Start that version, write its jobs and quotas to a file with `npm run export`, ' +
      'and read them with `npm run import` into a new folder (DATA_DIR), as docs/transfer.md says.'
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof DamageError || error instanceof SyntaxError) {
    return `The database in ${path} is damaged (${reason}). ${damageHelp}`;
  }
  switch (kindOf(error)) {
    case busy:
      return `The database in ${path} is already in use, probably by another Slipway.`;
    case corrupt:
    case noDatabase:
      return `The database in ${path} is damaged (${reason}). ${damageHelp}`;
    case readOnly:
    case cannotOpen:
      return (
        `The database in ${path} cannot be read and written (${reason}). ` +
        'Give its files to the user that runs Slipway (chown, chmod), or choose another folder with DATA_DIR.'
      );
    default:
      return reason.includes(path)
        ? reason
        : `The database in ${path} cannot be opened (${reason}).`;
  }
}
