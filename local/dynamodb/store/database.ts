import { backup, type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { KeptSeal, LogFollower } from '../seal/kept-seal.ts';
import { DamageError, damageHelp } from '../values/errors.ts';

/** A connection that prepares each statement once. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #folder: string;
  readonly #seal: KeptSeal | undefined;
  #lastWriteFailed = false;
  #isGroup = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #damage: DamageError | undefined;

  /** `folder` appears in messages. */
  constructor(connection: DatabaseSync, folder = 'memory', seal?: KeptSeal) {
    this.#connection = connection;
    this.#folder = folder;
    this.#seal = seal;
  }

  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#connection.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.statement(sql).run(...values);
  }

  /** Runs statements that change the schema and so invalidate prepared statements. */
  execute(sql: string): void {
    this.#connection.exec(sql);
    this.#statements.clear();
  }

  /**
   * Runs a task in a transaction. The task is synchronous, so nothing changes between its reads and
   * its writes. Conditions and counters rely on this.
   */
  transact<T>(task: () => T): T {
    this.#refuseInterference();
    if (this.#damage) throw this.#damage;
    return this.#isGroup ? this.#transactInGroup(task) : this.#commitAfter(task, true);
  }

  /**
   * Commits all transactions of a task together, with one write to the log instead of many. A
   * failed transaction rolls back only its own changes. If the commit fails, all are rolled back.
   */
  transactTogether<T>(task: () => T): T {
    this.#isGroup = true;
    try {
      return this.#commitAfter(task, false);
    } finally {
      this.#isGroup = false;
    }
  }

  #commitAfter<T>(task: () => T, writes: boolean): T {
    try {
      if (writes) this.run('BEGIN IMMEDIATE');
      const result = task();
      if (this.#connection.isTransaction) {
        if (this.#damage) throw this.#damage;
        this.run('COMMIT');
        this.#lastWriteFailed = false;
        this.#seal?.noteCommit();
      }
      return result;
    } catch (error) {
      this.noteFailure(error);
      // SQLite may have rolled back by itself, for example on a full disk.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  #transactInGroup<T>(task: () => T): T {
    if (!this.#connection.isTransaction) this.run('BEGIN IMMEDIATE');
    this.run('SAVEPOINT own');
    try {
      const result = task();
      this.run('RELEASE own');
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK TO own; RELEASE own');
      throw error;
    }
  }

  /**
   * Remembers disk failures and damage. After damage every write is refused, because a write could
   * make the damage worse.
   */
  noteFailure(error: unknown): void {
    if (failuresOfDisk.has(kindOf(error))) this.#lastWriteFailed = true;
    if (this.#damage || !isDamage(error)) return;
    this.#damage = new DamageError(`The database in ${this.#folder} is damaged.`, { cause: error });
    console.error(
      `The database in ${this.#folder} is damaged (${error.message}). From now on every change is refused with 503. Stop the service. ${damageHelp}`,
    );
  }

  /**
   * Checks the files at most once a second. Writes to a removed file would be lost when the process
   * ends.
   */
  #refuseInterference(): void {
    const now = performance.now();
    if (!this.#seal || now - this.#lookedAt < 1000) return;
    this.#lookedAt = now;
    const finding = this.#seal.findInterference();
    if (finding !== undefined) this.noteFailure(new DamageError(finding));
  }

  get isDamaged(): boolean {
    return this.#damage !== undefined;
  }

  /** Whether writes work. Never after damage. After a disk failure, tries a write to find out. */
  canWrite(): boolean {
    this.#refuseInterference();
    if (this.isDamaged) return false;
    try {
      if (this.#lastWriteFailed) this.transact(() => this.#connection.exec(probe));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Copies the database to a file while it is in use. Returns the number of pages. SQLite copies a
   * few pages at a time and also writes later commits to the copy, so it holds whole transactions.
   * A first step that meets an open transaction is refused, and Node reports that as an error
   * without a cause: the next try is due as soon as the transaction may have ended.
   */
  async backUp(file: string): Promise<number> {
    const deadline = Date.now() + beginWithinMs;
    for (;;) {
      if (this.#damage) throw this.#damage;
      try {
        return await backup(this.#connection, file, { rate: pagesPerStep });
      } catch (error) {
        if (kindOf(error) !== withoutCause || Date.now() > deadline) throw error;
        await setImmediate();
      }
    }
  }

  /** Only a database on disk has a log. */
  follow(follower: LogFollower): void {
    this.#seal?.follow(follower);
  }

  readLog(position: number, length: number): Buffer {
    return this.#seal?.readLog(position, length) ?? Buffer.alloc(0);
  }

  /**
   * Closes the database. If it is damaged or could not be sealed, leaves the connection open,
   * because SQLite moves the log into the main file on closing.
   */
  close(): void {
    this.#statements.clear();
    if (this.isDamaged || this.#seal?.close() === false) return;
    this.#connection.close();
  }
}

/** Requests wait while SQLite copies one step. */
const pagesPerStep = 100;

/** No transaction of ours lasts nearly as long. */
const beginWithinMs = 10_000;
const withoutCause = 0;

/** Writes a page without changing any data. */
const probe = 'CREATE TABLE probe (a); DROP TABLE probe';

/** SQLite's result codes READONLY, IOERR and FULL. */
const failuresOfDisk = new Set([8, 10, 13]);
/** SQLite's result codes CORRUPT, CONSTRAINT and NOTADB. No valid write violates a constraint. */
const damages = new Set([11, 19, 26]);

/** SQLite does not report stored text that is no longer JSON, or a missing table, as damage. */
function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof DamageError) return true;
  const isLost = error instanceof SyntaxError || /^no such table/.test(error.message);
  return isLost || damages.has(kindOf(error));
}

/** Returns SQLite's primary result code, which is the lowest byte of the extended code. */
export function kindOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
}
