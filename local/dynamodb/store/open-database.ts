import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPrivateFolder } from '../../credentials/private-folder.ts';
import { checkSeal } from '../seal/check-seal.ts';
import { KeptSeal } from '../seal/kept-seal.ts';
import { writeSeal } from '../seal/seal-file.ts';
import { DamageError, damageHelp, OtherLayoutError } from '../values/errors.ts';
import { Database, kindOf } from './database.ts';
import { indexTable, itemsTable, type TableDefinition } from './table-definition.ts';

/**
 * Increase with each change of the layout below, and when releases that know no steps
 * (lib/table/data-steps.ts) must not open the data any more. Layout 1 is that of 2, with data of
 * release 0.1.0.
 */
const version = 2;
const oldest = 1;

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

/** How thoroughly to check a database before using it. */
type DataCheck = 'quick' | 'full';

export interface DatabaseOptions {
  /** Created if missing. Without it, all data is in memory and lost after `close`. */
  readonly path?: string;
  readonly check?: DataCheck;
  /** Whether every commit is flushed to disk before it is answered, to survive a power cut. */
  readonly durable?: boolean;
}

export function openDatabase({
  path,
  check = 'quick',
  durable = false,
}: DatabaseOptions = {}): Database {
  if (path === undefined) return new Database(layOut(new DatabaseSync(':memory:')));
  const files = filesIn(path);
  let opened: DatabaseSync | undefined;
  try {
    openPrivateFolder(path, Object.values(fileNames));
    refuseOldForm(path);
    const isSealed = inspect(path, files, check);
    // Create the main file with a private mode. SQLite gives its other files the same mode.
    if (!isSealed) closeSync(openSync(files.main, 'a', 0o600));
    opened = lock(files);
    if (!isSealed) sealAnew(files, opened);
    if (durable) opened.exec('PRAGMA synchronous = FULL');
    const seal = new KeptSeal(files, opened);
    raiseVersion(opened, seal);
    return new Database(opened, path, seal);
  } catch (error) {
    opened?.close();
    throw new Error(explain(path, error), { cause: error });
  }
}

export const fileNames = {
  main: 'table.sqlite',
  log: 'table.sqlite-wal',
  index: 'table.sqlite-shm',
  seal: 'table.seal',
};

function filesIn(path: string) {
  const { main, log, index, seal } = fileNames;
  const within = (name: string) => join(path, name);
  return { main: within(main), log: within(log), index: within(index), seal: within(seal) };
}

type Files = ReturnType<typeof filesIn>;

/** Refuses LevelDB files, which an earlier version wrote. */
function refuseOldForm(path: string): void {
  if (existsSync(join(path, 'CURRENT'))) throw new OtherLayoutError();
}

/**
 * Checks the whole database through a read-only connection, so that a damaged folder stays
 * unchanged. A connection that can write would move the log into the main file on closing. Returns
 * whether the folder has a seal.
 */
function inspect(path: string, files: Files, check: DataCheck): boolean {
  if (sizeOf(files.main) === 0) {
    const rest = [fileNames.log, fileNames.seal].filter((name) => sizeOf(join(path, name)) > 0);
    if (rest.length === 0) return false;
    throw new DamageError(`${fileNames.main} is empty or missing beside its ${rest.join(' and ')}`);
  }
  const connection = new DatabaseSync(files.main, { readOnly: true, timeout: 0 });
  let main: number | undefined;
  try {
    connection.exec('BEGIN');
    const found = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
    main = openSync(files.main, 'r');
    const { isSealed, warning } = checkSeal(files, main);
    if (found !== 0 && (found < oldest || found > version)) throw new OtherLayoutError();
    const pragma = check === 'full' || !isSealed ? 'integrity_check' : 'quick_check';
    const finding = String(connection.prepare(`PRAGMA ${pragma}(1)`).get()?.[pragma]);
    if (finding !== 'ok') throw new DamageError(finding.replaceAll(/\s+/g, ' '));
    refuseMissingTables(connection, found);
    if (warning !== undefined) console.error(warning);
    return isSealed;
  } finally {
    connection.close();
    if (main !== undefined) closeSync(main);
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
  // The process was killed before it created the tables.
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
 * Seals a folder that has no seal yet. Moves everything into the main file and computes its
 * checksums. The file is never closed, because closing it would release SQLite's locks.
 */
function sealAnew(files: Files, connection: DatabaseSync): void {
  layOut(connection);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const pageSize = Number(connection.prepare('PRAGMA page_size').get()?.page_size);
  writeSeal(files.seal, openSync(files.main, 'r'), pageSize);
}

/** Seals a copy that `Database.backUp` has written, so that later damage to it is noticed. */
export function sealCopy(path: string): void {
  const files = filesIn(path);
  const main = openSync(files.main, 'r');
  try {
    const header = Buffer.alloc(2);
    readSync(main, header, 0, 2, 16);
    // SQLite writes its largest page size, 65536, as 1.
    const pageSize = header.readUInt16BE(0);
    writeSeal(files.seal, main, pageSize === 1 ? 65_536 : pageSize);
  } finally {
    closeSync(main);
  }
}

/**
 * Locks the database for this process. Then it is safe to remove the index file that a reader left.
 */
function lock(files: Files): DatabaseSync {
  const connection = new DatabaseSync(files.main, { timeout: 0 });
  try {
    connection.exec(settings);
    connection.exec('BEGIN IMMEDIATE; COMMIT');
    rmSync(files.index, { force: true });
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Each commit is written to the log before it is answered, so the process may be killed at any
 * time. Unless the database is durable, the log is not flushed to disk at each commit. A power cut may
 * lose the last transactions, but never a part of one. Automatic checkpoints are off, because the seal decides when to move the
 * log. The operating system caches the file anyway, so SQLite caches only 16 MB.
 */
const settings = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 0;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16384;
  PRAGMA temp_store = MEMORY;
`;

function layOut(connection: DatabaseSync): DatabaseSync {
  const found = connection.prepare('PRAGMA user_version').get()?.user_version;
  if (found === 0) {
    connection.exec(`BEGIN IMMEDIATE; ${layout} PRAGMA user_version = ${version}; COMMIT`);
  }
  return connection;
}

function raiseVersion(connection: DatabaseSync, seal: KeptSeal): void {
  const found = Number(connection.prepare('PRAGMA user_version').get()?.user_version);
  if (found === version) return;
  connection.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT`);
  seal.noteCommit();
}

/** SQLite's result codes. */
const busy = 5;
const readOnly = 8;
const corrupt = 11;
const cannotOpen = 14;
const noDatabase = 26;

/** Whether `openDatabase` failed because another process has the database. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && kindOf(error.cause) === busy;
}

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
