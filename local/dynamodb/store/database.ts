import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A connection that prepares each statement once. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

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
      return result;
    } catch (error) {
      // After a full disk SQLite may have rolled it back itself.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}
