import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import {
  type PrimaryKey,
  relayDueKeys,
  relayRecordKey,
  relaysKey,
  relaysOf,
} from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads/read-item.ts';
import { StoredJobId, StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { RelayChangedError, TooManyDownloadsError } from '../errors.ts';

/** A copy below `relay/`, made for one download. */
export interface Relay {
  readonly owner: UserId;
  readonly jobId: JobId;
  readonly fileId: string;
  readonly bytes: number;
}

export interface RecordedRelay extends Relay {
  /** When the copy may be removed. */
  readonly dueAt: Date;
}

/**
 * The most bytes of copies that one user may have: twice the largest file. Without this limit,
 * anyone who can run a job could fill the storage.
 */
export const maxRelayedBytes = 10_000_000_000;

/** Longer than a URL lasts, so no download starts on a copy that is gone. */
const relaySeconds = 20 * 60;

const RelayItem = v.object({
  type: v.literal('relay'),
  schema_version: v.literal(1),
  owner: StoredUserId,
  job_id: StoredJobId,
  file_id: v.string(),
  size: v.number(),
  due_at: v.string(),
});

/** Reserves room for a copy before it is made, or extends the reservation of an existing one. */
export async function reserveRelay(table: Table, relay: Relay, now: Date): Promise<void> {
  await decideUntilWritten(async () => {
    const known = await findRelay(table, relay);
    const added = relay.bytes - (known?.bytes ?? 0);
    await writeTransaction(table, [
      putRelay(relay, known, new Date(now.getTime() + relaySeconds * 1000)),
      ...(added === 0 ? [] : [countBytes(relay.owner, added)]),
    ]);
  });
}

/** Releases a copy's room. Returns false if it was reserved again or released since it was read. */
export async function releaseRelay(table: Table, relay: RecordedRelay): Promise<boolean> {
  try {
    await writeTransaction(table, [dropRelay(relay), countBytes(relay.owner, -relay.bytes)]);
    return true;
  } catch (error) {
    if (error instanceof RelayChangedError) return false;
    throw error;
  }
}

export async function findRelay(
  table: Table,
  { owner, jobId, fileId }: Omit<Relay, 'bytes'>,
): Promise<RecordedRelay | undefined> {
  return readRelay(table, relayRecordKey(owner, jobId, fileId));
}

export async function readRelay(table: Table, key: PrimaryKey): Promise<RecordedRelay | undefined> {
  const stored = await readItem(table, key);
  return stored && relayFromItem(stored);
}

/** Lists the copies of a user, or of one job. The limit on bytes also limits their number. */
export async function listRelays(
  table: Table,
  owner: UserId,
  jobId?: JobId,
): Promise<RecordedRelay[]> {
  const { PK, prefix } = relaysOf(owner, jobId);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'PK = :owner AND begins_with(SK, :relays)',
      ExpressionAttributeValues: { ':owner': PK, ':relays': prefix },
      ConsistentRead: true,
    },
  );
  const relays: RecordedRelay[] = [];
  for await (const { Items = [] } of pages) relays.push(...Items.map(relayFromItem));
  return relays;
}

function relayFromItem(stored: unknown): RecordedRelay {
  const item = parseItem(RelayItem, stored);
  return {
    owner: item.owner,
    jobId: item.job_id,
    fileId: item.file_id,
    bytes: item.size,
    dueAt: new Date(item.due_at),
  };
}

function putRelay(relay: Relay, known: RecordedRelay | undefined, dueAt: Date): Step {
  const { owner, jobId, fileId, bytes } = relay;
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: {
          ...relayRecordKey(owner, jobId, fileId),
          type: 'relay',
          schema_version: 1,
          owner,
          job_id: jobId,
          file_id: fileId,
          size: bytes,
          ...relayDueKeys(dueAt.toISOString()),
        } satisfies v.InferInput<typeof RelayItem> & PrimaryKey,
        ...(known ? unchanged(known) : { ConditionExpression: 'attribute_not_exists(PK)' }),
      },
    }),
    refuse: () => new RelayChangedError(),
  };
}

function dropRelay(relay: RecordedRelay): Step {
  return {
    write: (tableName) => ({
      Delete: {
        TableName: tableName,
        Key: relayRecordKey(relay.owner, relay.jobId, relay.fileId),
        ...unchanged(relay),
      },
    }),
    refuse: () => new RelayChangedError(),
  };
}

function unchanged({ bytes, dueAt }: RecordedRelay) {
  return {
    ConditionExpression: 'due_at = :seen AND #size = :bytes',
    ExpressionAttributeNames: { '#size': 'size' },
    ExpressionAttributeValues: { ':seen': dueAt.toISOString(), ':bytes': bytes },
  };
}

/** Refuses to exceed the limit. Giving room back is always possible. */
function countBytes(owner: UserId, bytes: number): Step {
  const adds = bytes > 0;
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: relaysKey(owner),
        UpdateExpression: 'SET #type = :type, schema_version = :version ADD #size :bytes',
        ...(adds && { ConditionExpression: 'attribute_not_exists(#size) OR #size <= :room' }),
        ExpressionAttributeNames: { '#type': 'type', '#size': 'size' },
        ExpressionAttributeValues: {
          ':type': 'relays',
          ':version': 1,
          ':bytes': bytes,
          ...(adds && { ':room': maxRelayedBytes - bytes }),
        },
      },
    }),
    refuse: () => new TooManyDownloadsError(),
  };
}
