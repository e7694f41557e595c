import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A connection that prepares each statement once. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #lastWriteFailed = false;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
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

  /** For what changes the layout, and makes prepared statements worthless. */
  execute(sql: string): void {
    this.#connection.exec(sql);
    this.#statements.clear();
  }

  /**
   * All of it or nothing. Nothing waits in it, so that what is read before the writing is still so
   * when it is written: this is what makes conditions and additions exact.
   */
  transact<T>(task: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = task();
      this.#connection.exec('COMMIT');
      this.#lastWriteFailed = false;
      return result;
    } catch (error) {
      if (isFailureOfDisk(error)) this.#lastWriteFailed = true;
      // After a full disk SQLite may have rolled it back itself.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  /** Whether the disk takes what is written; tried where it last did not. */
  canWrite(): boolean {
    try {
      if (this.#lastWriteFailed) this.transact(() => this.#connection.exec(probe));
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

/** Writes a page and changes nothing. */
const probe = 'CREATE TABLE probe (a); DROP TABLE probe';

/** SQLite's own numbers: no permission, an error of the file, no space. */
const failures = new Set([8, 10, 13]);

function isFailureOfDisk(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The lowest byte is the kind, the others say more of it.
  return failures.has(Number(error.errcode) & 0xff);
}
