import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { KeptSeal } from '../seal/kept-seal.ts';
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

  /** `folder` is how messages name it. */
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

  /** For statements that change the layout and invalidate prepared statements. */
  execute(sql: string): void {
    this.#connection.exec(sql);
    this.#statements.clear();
  }

  /**
   * All of it or nothing. Nothing waits in it, so that what is read before the writing is still so
   * when it is written: this is what makes conditions and additions exact.
   */
  transact<T>(task: () => T): T {
    this.#refuseInterference();
    if (this.#damage) throw this.#damage;
    return this.#isGroup ? this.#transactInGroup(task) : this.#commitAfter(task, true);
  }

  /**
   * Commits all transactions of a task together: one write to the log in the place of many. A
   * transaction that fails takes back only what it did itself. Where the commit fails, nothing of
   * any of them is left.
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
      // After a full disk SQLite may have rolled it back itself.
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
   * Looks at what an operation failed with. After damage nothing is written any more, because
   * nobody can say what a write would be added to.
   */
  noteFailure(error: unknown): void {
    if (isFailureOfDisk(error)) this.#lastWriteFailed = true;
    if (this.#damage || !isDamage(error)) return;
    this.#damage = new DamageError(`The database in ${this.#folder} is damaged.`, { cause: error });
    console.error(
      `The database in ${this.#folder} is damaged (${error.message}). From now on every change is refused with 503. Stop the service. ${damageHelp}`,
    );
  }

  /** Looks at the files once a second: what is written to one that was removed is lost at the next kill. */
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

  /** Whether changes are possible: not after damage; after a full disk they are tried again. */
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
   * A database that is damaged, or could not be sealed, is left as a kill would leave it: SQLite
   * would move its log into the main file on closing.
   */
  close(): void {
    this.#statements.clear();
    if (this.isDamaged || this.#seal?.close() === false) return;
    this.#connection.close();
  }
}

/** Writes a page and changes nothing. */
const probe = 'CREATE TABLE probe (a); DROP TABLE probe';

/** SQLite's own numbers: no permission, an error of the file, no space. */
const failuresOfDisk = new Set([8, 10, 13]);
/** Malformed, not a database, and an index that holds what nobody can have put there. */
const damages = new Set([11, 19, 26]);

function isFailureOfDisk(error: unknown): boolean {
  return failuresOfDisk.has(kindOf(error));
}

/** Stored text that is not JSON any more, and a missing table, are damage that SQLite does not call so. */
function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof DamageError) return true;
  const isLost = error instanceof SyntaxError || /^no such table/.test(error.message);
  return isLost || damages.has(kindOf(error));
}

/** The lowest byte of SQLite's number is the kind, the others say more of it. */
export function kindOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
}
