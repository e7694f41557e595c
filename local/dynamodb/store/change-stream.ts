import { createHash } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from '../values/attribute-value.ts';
import { isSameItem } from '../values/compare-values.ts';
import type { Database } from './database.ts';
import type { GroupCommit } from './group-commit.ts';
import { type Change, type ChangedBy, keyNames, pickNames } from './table-definition.ts';

/** Marks deletions by time to live as DynamoDB does. */
const expiryIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };

export interface StreamedRecord {
  readonly position: number;
  readonly record: DynamoDBRecord;
}

export interface StreamRow {
  readonly position: number;
  /** JSON. */
  readonly text: string;
}

export function parseRow({ position, text }: StreamRow): StreamedRecord {
  return { position, record: numberRecord(JSON.parse(text), String(position)) };
}

/** What a reader has yet to read, and the age of the oldest of it. */
export interface Backlog {
  readonly reader: string;
  readonly waiting: number;
  readonly ageSeconds: number;
}

/** Whether any reader needs the record. Other records are not stored. */
export type Wanted = (record: DynamoDBRecord) => boolean;

/**
 * Stores changes in commit order for readers, each with its own position. A change is committed
 * together with its record, and positions are stored in the same database. So each record is read
 * at least once, even if the process is killed.
 */
export class ChangeStream {
  readonly #database: Database;
  readonly #commits: GroupCommit;
  readonly #wanted: Wanted;
  readonly #now: () => number;
  readonly #listeners: (() => void)[] = [];

  constructor(database: Database, commits: GroupCommit, wanted: Wanted, now: () => number) {
    this.#database = database;
    this.#commits = commits;
    this.#wanted = wanted;
    this.#now = now;
    this.#startNumbers();
  }

  /** Adds records of changes. The caller opens the transaction. */
  append(changes: readonly Change[], by: ChangedBy): void {
    for (const change of changes) {
      if (isUnchanged(change)) continue;
      const record = describeChange(change, by, this.#now());
      if (this.#wanted(record)) {
        this.#database.run('INSERT INTO stream (record) VALUES (?)', JSON.stringify(record));
      }
    }
  }

  /** Notifies listeners after a commit. They run synchronously, so they must return quickly. */
  announce(): void {
    for (const listener of this.#listeners) listener();
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Sets the readers. New ones start at the beginning. Drops readers not listed, and the records
   * that only they had yet to read.
   */
  setReaders(names: readonly string[]): void {
    this.#database.transact(() => {
      const known = this.#database.statement('SELECT name FROM stream_readers').all();
      for (const { name } of known) {
        if (!names.includes(String(name))) {
          this.#database.run('DELETE FROM stream_readers WHERE name = ?', String(name));
        }
      }
      for (const name of names) {
        this.#database.run('INSERT OR IGNORE INTO stream_readers VALUES (?, 0)', name);
      }
      this.#forgetRead();
    });
  }

  positionOf(reader: string): number {
    const row = this.#database
      .statement('SELECT position FROM stream_readers WHERE name = ?')
      .get(reader);
    return Number(row?.position ?? 0);
  }

  read(after: number, count: number): StreamedRecord[] {
    try {
      return this.readRows(after, count).map(parseRow);
    } catch (error) {
      this.#database.noteFailure(error);
      throw error;
    }
  }

  /** Returns the stored text. The caller parses it. */
  readRows(after: number, count: number): StreamRow[] {
    return this.#database
      .statement('SELECT sequence, record FROM stream WHERE sequence > ? ORDER BY sequence LIMIT ?')
      .all(after, count)
      .map(({ sequence, record }) => ({ position: Number(sequence), text: String(record) }));
  }

  /** Records that a reader has processed everything up to this position. */
  moveTo(reader: string, position: number): Promise<void> {
    const move = (): void => {
      this.#database.run('UPDATE stream_readers SET position = ? WHERE name = ?', position, reader);
      this.#forgetRead();
    };
    return this.#commits.run(() => this.#database.transact(move));
  }

  /** Sequence numbers have no gaps, so nothing needs to be counted. */
  listBacklog(): Backlog[] {
    return this.#database
      .statement(
        `SELECT name, coalesce(last - max(position, first - 1), 0) AS waiting,
           (SELECT record ->> '$.dynamodb.ApproximateCreationDateTime' FROM stream
            WHERE sequence > position ORDER BY sequence LIMIT 1) AS since
         FROM stream_readers,
           (SELECT max(sequence) AS last FROM stream), (SELECT min(sequence) AS first FROM stream)`,
      )
      .all()
      .map(({ name, waiting, since }) => ({
        reader: String(name),
        waiting: Number(waiting),
        ageSeconds: since === null ? 0 : Math.max(0, this.#now() / 1000 - Number(since)),
      }));
  }

  #forgetRead(): void {
    this.#database.run(
      'DELETE FROM stream WHERE sequence <= (SELECT min(position) FROM stream_readers)',
    );
  }

  /** Starts sequence numbers at the clock, so that a database created later has higher ones. */
  #startNumbers(): void {
    this.#database.run(
      `INSERT INTO sqlite_sequence (name, seq) SELECT 'stream', ?
       WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'stream')`,
      this.#now() * 1000,
    );
  }
}

/** The ARN of a table's stream, as it appears in the records. */
export function streamArn(table: string): string {
  return `arn:aws:dynamodb:local:000000000000:table/${table}/stream/local`;
}

function isUnchanged({ before, after }: Change): boolean {
  return before && after ? isSameItem(before, after) : before === after;
}

function describeChange({ table, before, after }: Change, by: ChangedBy, now: number) {
  const item: Item = after ?? before ?? {};
  const record = {
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'local',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(now / 1000),
      Keys: pickNames(item, keyNames(table)),
      ...(after && { NewImage: after }),
      ...(before && { OldImage: before }),
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
    eventSourceARN: streamArn(table.name),
    ...(by === 'expiry' && { userIdentity: expiryIdentity }),
  };
  return asRecord(record);
}

/** Drops `readonly`, which the types of AWS events lack. Nothing modifies these records. */
function asRecord(record: object): DynamoDBRecord {
  return record;
}

function numberRecord(record: DynamoDBRecord, sequence: string): DynamoDBRecord {
  const eventID = createHash('sha256')
    .update(`${record.eventSourceARN}${sequence}`)
    .digest('hex')
    .slice(0, 32);
  return { eventID, ...record, dynamodb: { ...record.dynamodb, SequenceNumber: sequence } };
}
