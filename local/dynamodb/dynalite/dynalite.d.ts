// dynalite ships no types. Declared here are the parts that local/dynamodb uses, and no others.

declare module 'dynalite/db/index.js' {
  import type { Readable } from 'node:stream';

  export type AttributeValue = Record<string, unknown>;
  export type Item = Record<string, AttributeValue>;

  export interface Index {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
  }

  export interface Table {
    TableName: string;
    TableStatus: string;
    KeySchema: { AttributeName: string }[];
    LocalSecondaryIndexes?: Index[];
    GlobalSecondaryIndexes?: Index[];
  }

  /** Thrown and called back with by everything that refuses a request as the service would. */
  export interface ServiceError extends Error {
    statusCode: number;
    body: Record<string, unknown>;
  }

  export type Callback<T> = (error: Error | null, result?: T) => void;

  export interface Range {
    gt?: string;
    gte?: string;
    lt?: string;
    lte?: string;
    limit?: number;
    reverse?: boolean;
  }

  export interface Snapshot {
    close(): Promise<void>;
  }

  export interface Iterator<T> {
    nextv(size: number): Promise<T[]>;
    close(): Promise<void>;
  }

  export type Operation =
    | { type: 'put'; key: string; value: unknown }
    | { type: 'del'; key: string };

  export interface Level {
    open(): Promise<void>;
    close(): Promise<void>;
    batch(operations: Operation[]): Promise<void>;
    getSync<T>(
      key: string,
      options?: { snapshot: Snapshot } | { valueEncoding: 'utf8' },
    ): T | undefined;
    iterator<T>(range: Range): Iterator<[string, T]>;
    values<T>(range: Range & { snapshot: Snapshot }): Iterator<T>;
    snapshot(): Snapshot;
  }

  interface StoreBase {
    options: StoreOptions;
    getTable(name: string, callback: Callback<Table>): void;
  }

  export interface StoreOptions {
    path?: string;
    createTableMs: number;
    deleteTableMs: number;
    updateTableMs: number;
  }

  export type Lock = (key: string, task: (release: <T>(callback: T) => T) => void) => void;

  interface Writes {
    put(key: string, value: Item, callback: Callback<void>): void;
    del(key: string, callback: Callback<void>): void;
  }

  /** What the actions that write items need of a store. */
  export interface WriteStore extends StoreBase {
    getItemDb(
      table: string,
    ): Writes & { lock: Lock; get(key: string, callback: Callback<Item>): void };
    getIndexDb(kind: string, table: string, index: string): Writes;
  }

  /** What the actions that read items need of a store. */
  export interface ReadStore extends StoreBase {
    getItemDb(table: string): {
      get(key: string, callback: Callback<Item>): void;
      createValueStream(range: Range): Readable;
    };
    getIndexDb(
      kind: 'local' | 'global',
      table: string,
      index: string,
    ): { createValueStream(range: Range): Readable };
  }

  export interface TableDb {
    put(key: string, value: unknown, callback: Callback<void>): void;
    del(key: string, callback: Callback<void>): void;
  }

  export interface Store extends StoreBase {
    db: Level;
    getTable(name: string, callback: Callback<Table>): void;
    getTable(name: string, checkStatus: boolean, callback: Callback<Table>): void;
    tableDb: TableDb;
  }

  interface IndexActions {
    puts: { index: string; key: string; item: Record<string, AttributeValue | undefined> }[];
  }

  const db: {
    create(options: StoreOptions): Store;
    createKey(item: Item, table: Table): string;
    getIndexActions(indexes: Index[], oldItem: null, item: Item, table: Table): IndexActions;
    itemSize(item: Item): number;
    traverseIndexes<T>(
      table: Table,
      visit: (attribute: string, type: string, index: Index) => T | undefined,
    ): T | undefined;
    validationError(message: string): ServiceError;
  };
  export default db;
}

declare module 'dynalite/validations/index.js' {
  import type { StoreOptions } from 'dynalite/db/index.js';

  /** dynalite's own notation of a request's shape: it is handed on, never looked into. */
  export type Types = Record<string, unknown>;
  export type Custom = (data: unknown, store: { options: StoreOptions }) => string | undefined;

  const validations: {
    checkTypes<T>(body: unknown, types: Types): T;
    checkValidations(
      data: unknown,
      types: Types,
      custom: Custom | undefined,
      store: { options: StoreOptions },
    ): void;
  };
  export default validations;
}

declare module 'dynalite/validations/*' {
  import type { Custom, Types } from 'dynalite/validations/index.js';

  const validation: { types: Types; custom?: Custom };
  export default validation;
}

declare module 'dynalite/actions/*' {
  import type { Callback } from 'dynalite/db/index.js';

  const action: <Store, Result>(store: Store, data: unknown, callback: Callback<Result>) => void;
  export default action;
}
