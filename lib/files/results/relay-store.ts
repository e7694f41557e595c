import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { changeOf } from '#lib/table/change.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { defineItem, moment, number, type Stored, text } from '#lib/table/define-item.ts';
import { dueKeys, type PrimaryKey, relayRecordKey, relaysKey, relaysOf } from '#lib/table/keys.ts';
import { jobIdField, userField } from '#lib/table/named-fields.ts';
import { queryAll, readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { RelayChangedError, TooManyDownloadsError } from '../errors.ts';

/** A copy below `relay/`, made for one download. */
const storedRelay = defineItem('relay', () => ({
  owner: userField('owner'),
  jobId: jobIdField(),
  fileId: text('file_id'),
  bytes: number('size'),
  /** When the copy may be removed. */
  dueAt: moment('due_at'),
}));

export interface RecordedRelay extends Stored<typeof storedRelay> {}
export type Relay = Omit<RecordedRelay, 'dueAt'>;

/**
 * The most bytes of copies that one user may have: twice the largest file. Without this limit,
 * anyone who can run a job could fill the storage.
 */
export const maxRelayedBytes = 10_000_000_000;

/** Longer than a URL lasts, so no download starts on a copy that is gone. */
const relaySeconds = 20 * 60;

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

export function readRelay(table: Table, key: PrimaryKey): Promise<RecordedRelay | undefined> {
  return readItem(table, key, storedRelay.parse);
}

/** Lists the copies of a user, or of one job. The limit on bytes also limits their number. */
export async function listRelays(
  table: Table,
  owner: UserId,
  jobId?: JobId,
): Promise<RecordedRelay[]> {
  const { PK, prefix } = relaysOf(owner, jobId);
  const query = {
    KeyConditionExpression: 'PK = :owner AND begins_with(SK, :relays)',
    ExpressionAttributeValues: { ':owner': PK, ':relays': prefix },
    ConsistentRead: true,
  };
  return queryAll(table, query, storedRelay.parse);
}

function putRelay(relay: Relay, known: RecordedRelay | undefined, dueAt: Date): Step {
  return {
    Put: {
      Item: {
        ...relayRecordKey(relay.owner, relay.jobId, relay.fileId),
        ...storedRelay.format({ ...relay, dueAt }),
        ...dueKeys('RELAYS', dueAt),
      },
      ...(known ? unchanged(known) : ifMissing),
    },
    refuse: () => new RelayChangedError(),
  };
}

function dropRelay(relay: RecordedRelay): Step {
  return {
    Delete: {
      Key: relayRecordKey(relay.owner, relay.jobId, relay.fileId),
      ...unchanged(relay),
    },
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
    Update: changeOf(relaysKey(owner), {
      set: { type: 'relays', schema_version: 1 },
      add: { size: bytes },
      ...(adds && {
        when: ['(attribute_not_exists(#size) OR #size <= :room)'],
        values: { ':room': maxRelayedBytes - bytes },
      }),
    }),
    refuse: () => new TooManyDownloadsError(),
  };
}
