import { ServiceError } from '../values/errors.ts';
import type { Database } from './database.ts';
import { indexTable, itemsTable, type TableDefinition } from './table-definition.ts';

/** The tables of a database. Definitions are cached, because every request needs one. */
export class TableStore {
  readonly #database: Database;
  readonly #tables = new Map<string, TableDefinition>();
  readonly #timesToLive = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
    for (const row of database.statement('SELECT * FROM tables').all()) {
      const { id, ...definition } = JSON.parse(String(row.definition));
      this.#tables.set(String(row.name), { id: Number(row.id), ...definition });
      if (row.time_to_live !== null) {
        this.#timesToLive.set(String(row.name), String(row.time_to_live));
      }
    }
  }

  get names(): string[] {
    return [...this.#tables.keys()].sort();
  }

  find(name: string): TableDefinition | undefined {
    return this.#tables.get(name);
  }

  /** Returns a table by name. Throws if there is none. */
  require(name: string): TableDefinition {
    const table = this.#tables.get(name);
    if (!table) throw new ServiceError('ResourceNotFoundException', 'Requested resource not found');
    return table;
  }

  create(definition: Omit<TableDefinition, 'id'>): TableDefinition {
    const table = this.#database.transact(() => {
      const { lastInsertRowid } = this.#database
        .statement('INSERT INTO tables (name, definition) VALUES (?, ?)')
        .run(definition.name, JSON.stringify(definition));
      const created = { ...definition, id: Number(lastInsertRowid) };
      this.#database.execute(layOut(created));
      return created;
    });
    this.#tables.set(table.name, table);
    return table;
  }

  delete(table: TableDefinition): void {
    this.#database.transact(() => {
      const tables = [itemsTable(table), ...table.indexes.map((index) => indexTable(table, index))];
      this.#database.execute(tables.map((name) => `DROP TABLE ${name};`).join('\n'));
      this.#database.run('DELETE FROM tables WHERE id = ?', table.id);
    });
    this.#tables.delete(table.name);
    this.#timesToLive.delete(table.name);
  }

  /** Returns the attribute with the expiry time of items, or undefined if items never expire. */
  timeToLive({ name }: TableDefinition): string | undefined {
    return this.#timesToLive.get(name);
  }

  setTimeToLive(table: TableDefinition, attribute: string | undefined): void {
    this.#database.transact(() => {
      const path = `$."${(attribute ?? '').replaceAll('"', '\\"')}".N`;
      this.#database.run(
        'UPDATE tables SET time_to_live = ? WHERE id = ?',
        attribute ?? null,
        table.id,
      );
      this.#database.run(
        `UPDATE ${itemsTable(table)} SET expires = CAST(item ->> ? AS INTEGER)`,
        path,
      );
    });
    if (attribute === undefined) this.#timesToLive.delete(table.name);
    else this.#timesToLive.set(table.name, attribute);
  }
}

/**
 * Creates the SQL tables of a table. Keys are bytes that sort in DynamoDB's order. Index entries
 * only point to items, so that an update that keeps the keys does not touch them.
 */
function layOut(table: TableDefinition): string {
  const items = itemsTable(table);
  const indexes = table.indexes.map(
    (index) => `
      CREATE TABLE ${indexTable(table, index)} (
        hash BLOB NOT NULL,
        range BLOB NOT NULL,
        item_hash BLOB NOT NULL,
        item_range BLOB NOT NULL,
        item INTEGER NOT NULL,
        PRIMARY KEY (hash, range, item_hash, item_range)
      ) STRICT, WITHOUT ROWID;`,
  );
  return `
    CREATE TABLE ${items} (
      id INTEGER PRIMARY KEY,
      hash BLOB NOT NULL,
      range BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      expires INTEGER,
      item TEXT NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX ${items}_by_key ON ${items} (hash, range);
    CREATE INDEX ${items}_by_expiry ON ${items} (expires) WHERE expires IS NOT NULL;
    ${indexes.join('\n')}`;
}
