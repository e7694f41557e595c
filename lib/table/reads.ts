import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetCommand,
  GetCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { TableBusyError } from './errors.ts';
import { type jobListRange, type PrimaryKey, userPartition } from './keys.ts';
import type { Table } from './table.ts';

type StoredItem = Readonly<Record<string, unknown>>;
type Query = Omit<QueryCommandInput, 'TableName'>;

/** Reads one item, strongly consistent. */
export async function readItem<Value>(
  table: Table,
  { PK, SK }: PrimaryKey,
  parse: (stored: StoredItem) => Value,
): Promise<Value | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  return Item && parse(Item);
}

/** Writes a query of a whole partition. All such queries are strongly consistent. */
export function selectAll(PK: string) {
  return select(PK);
}

export function selectPrefix({ PK, prefix }: { readonly PK: string; readonly prefix: string }) {
  return select(PK, ' AND begins_with(SK, :prefix)', { ':prefix': prefix });
}

/** Both ends belong to the range. */
export function selectRange(
  PK: string,
  { from, to }: { readonly from: string; readonly to: string },
) {
  return select(PK, ' AND SK BETWEEN :from AND :to', { ':from': from, ':to': to });
}

function select(PK: string, condition = '', values: Readonly<Record<string, string>> = {}) {
  return {
    KeyConditionExpression: `PK = :PK${condition}`,
    ExpressionAttributeValues: { ':PK': PK, ...values },
    ConsistentRead: true,
  };
}

/** Writes a query of a user's jobs in the order of an index, strongly consistent. */
export function selectJobs(owner: UserId, { index, from, to }: ReturnType<typeof jobListRange>) {
  const values = { ':from': from, ':to': to };
  return {
    ...select(userPartition(owner), ' AND #index BETWEEN :from AND :to', values),
    IndexName: index,
    ExpressionAttributeNames: { '#index': index },
  };
}

/** Makes one query. A response ends after a megabyte, even if there is more. */
export async function queryPage(table: Table, query: Query) {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({ TableName: table.name, ...query }),
  );
  return { Items, LastEvaluatedKey };
}

/** Yields the pages of a query. Pages that are not consumed are not read. */
export async function* queryPages<Value>(
  table: Table,
  query: Query,
  parse: (stored: StoredItem) => Value,
): AsyncGenerator<Value[]> {
  const pages = paginateQuery({ client: table.client }, { TableName: table.name, ...query });
  for await (const { Items = [] } of pages) yield Items.map(parse);
}

export async function queryAll<Value>(
  table: Table,
  query: Query,
  parse: (stored: StoredItem) => Value,
): Promise<Value[]> {
  const values: Value[] = [];
  for await (const page of queryPages(table, query, parse)) values.push(...page);
  return values;
}

interface Reading {
  /** Without it, a read costs half, but an item written a moment ago may be missing. */
  readonly consistent?: boolean;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** The limit of one BatchGetItem. */
const batchSize = 100;

const maxRounds = 6;

/**
 * Reads any number of items in the order of their keys, skipping those that are gone. Keys must be
 * unique. Items that the table leaves out under load are requested again, a limited number of
 * times.
 */
export async function readItems(
  table: Table,
  keys: readonly PrimaryKey[],
  { consistent = true, pause = sleep }: Reading = {},
): Promise<StoredItem[]> {
  const found = new Map<string, StoredItem>();
  for (const batch of splitIntoBatches(keys, batchSize)) {
    let missing: Record<string, unknown>[] = batch.map(({ PK, SK }) => ({ PK, SK }));
    for (let round = 0; missing.length > 0; round += 1) {
      if (round === maxRounds) throw new TableBusyError();
      if (round > 0) await pause(25 * 2 ** round * Math.random());
      const { Responses = {}, UnprocessedKeys = {} } = await table.client.send(
        new BatchGetCommand({
          RequestItems: { [table.name]: { Keys: missing, ConsistentRead: consistent } },
        }),
      );
      for (const item of Responses[table.name] ?? []) found.set(nameOf(item), item);
      missing = UnprocessedKeys[table.name]?.Keys ?? [];
    }
  }
  return keys.map((key) => found.get(nameOf({ ...key }))).filter((item) => item !== undefined);
}

function nameOf({ PK, SK }: StoredItem): string {
  return JSON.stringify([PK, SK]);
}
