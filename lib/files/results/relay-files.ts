import type { ByteSource, DiskPlace } from '#lib/byte-streams/byte-stream.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { changeOf } from '#lib/table/change.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { defineItem, moment, number, type Stored, text } from '#lib/table/define-item.ts';
import { type DueKey, sweepDue } from '#lib/table/due-index.ts';
import {
  dueKeys,
  listShards,
  type PrimaryKey,
  relayRecordKey,
  relaysKey,
  relaysOf,
} from '#lib/table/keys.ts';
import { jobIdField, userField } from '#lib/table/named-fields.ts';
import { queryAll, readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { RelayChangedError, TooManyDownloadsError } from '../errors.ts';
import { relayKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { type FetchedFile, pointToFile } from './job-file.ts';

/** The table counts the copies, and the object store holds them. */
export interface RelayStores {
  readonly table: Table;
  readonly results: ObjectStore;
}

interface RelayedFile extends Relay {
  readonly name: string;
  /** Where it is on the disk of this machine, if it is there. */
  readonly place?: DiskPlace | undefined;
  /** True if the file can no longer change, so an earlier copy of the same length can be reused. */
  readonly settled: boolean;
}

type Removing = Pick<RelayStores, 'table'> & { readonly results: Pick<ObjectStore, 'remove'> };

const removedAtOnce = 10;

/** Copies a file to the storage and returns its URL. Reuses the copy of an earlier request. */
export async function relayFile(
  { table, results }: RelayStores,
  file: RelayedFile,
  source: ByteSource,
  now = new Date(),
): Promise<FetchedFile> {
  await makeRoom({ table, results }, file, now);
  const key = keyOf(file);
  const isThere = file.settled && (await results.measure(key)) === file.bytes;
  if (!isThere) await results.putFrom(key, source);
  return handOut({ table, results }, file);
}

/**
 * Hands out a file of this machine itself, which takes no room, however large it is. Returns
 * undefined if it must be copied.
 */
export async function adoptFile(
  { table, results }: RelayStores,
  { place, ...file }: RelayedFile,
  now = new Date(),
): Promise<FetchedFile | undefined> {
  if (!place || !results.adopt) return undefined;
  await reserveRelay(table, { ...file, bytes: 0 }, now);
  if (!(await results.adopt(keyOf(file), place))) return undefined;
  return handOut({ table, results }, file);
}

/**
 * If the job was deleted meanwhile, the record of the copy is gone, and this request removes the
 * copy.
 */
async function handOut({ table, results }: RelayStores, file: RelayedFile): Promise<FetchedFile> {
  const key = keyOf(file);
  if (await findRelay(table, file)) return pointToFile(results, key, file.name);
  await results.remove(key);
  throw new RemoteFileNotFoundError();
}

/**
 * Removes expired copies at once if their owner needs the room, instead of waiting for the sweep.
 */
async function makeRoom(stores: RelayStores, file: RelayedFile, now: Date): Promise<void> {
  const { table } = stores;
  try {
    await reserveRelay(table, file, now);
  } catch (error) {
    if (!(error instanceof TooManyDownloadsError)) throw error;
    const due = (await listRelays(table, file.owner)).filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) throw error;
    await mapInParallel(due, removedAtOnce, (relay) => removeRelay(stores, relay));
    await reserveRelay(table, file, now);
  }
}

/** Removes the copies of a deleted job. */
export async function removeRelaysOf(stores: Removing, owner: UserId, jobId: JobId): Promise<void> {
  const relays = await listRelays(stores.table, owner, jobId);
  await mapInParallel(relays, removedAtOnce, (relay) => removeRelay(stores, relay));
}

/** Removes the copies whose URLs have expired. */
export async function sweepRelays(stores: Removing, clock = () => new Date()): Promise<void> {
  const { table } = stores;
  const remove = async (key: DueKey, now: Date) => {
    const relay = await readRelay(table, key);
    if (relay && relay.dueAt <= now) await removeRelay(stores, relay);
  };
  const failures = await sweepDue(table, listShards('RELAYS'), remove, {
    width: removedAtOnce,
    clock,
  });
  reportFailures(failures, 'Some copies could not be removed');
}

/**
 * Removes the record first. Only the process that removed it may remove the copy, because another
 * request may have reserved it again. If the process ends in between, the bucket's lifecycle rule
 * removes the copy. On a laptop, the next start does.
 */
async function removeRelay({ table, results }: Removing, relay: RecordedRelay): Promise<void> {
  if (await releaseRelay(table, relay)) await results.remove(keyOf(relay));
}

function keyOf({ owner, jobId, fileId }: Relay): string {
  return relayKey(owner, jobId, fileId);
}

/** A copy below `relay/`, made for one download. */
const storedRelay = defineItem('relay', () => ({
  owner: userField('owner'),
  jobId: jobIdField(),
  fileId: text('file_id'),
  bytes: number('size'),
  /** When the copy may be removed. */
  dueAt: moment('due_at'),
}));

interface RecordedRelay extends Stored<typeof storedRelay> {}
type Relay = Omit<RecordedRelay, 'dueAt'>;

/**
 * The most bytes of copies that one user may have: twice the largest file. Without this limit,
 * anyone who can run a job could fill the storage.
 */
export const maxRelayedBytes = 10_000_000_000;

/** Longer than a URL lasts, so no download starts on a copy that is gone. */
const relaySeconds = 20 * 60;

/** Reserves room for a copy before it is made, or extends the reservation of an existing one. */
async function reserveRelay(table: Table, relay: Relay, now: Date): Promise<void> {
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
async function releaseRelay(table: Table, relay: RecordedRelay): Promise<boolean> {
  try {
    await writeTransaction(table, [dropRelay(relay), countBytes(relay.owner, -relay.bytes)]);
    return true;
  } catch (error) {
    if (error instanceof RelayChangedError) return false;
    throw error;
  }
}

async function findRelay(
  table: Table,
  { owner, jobId, fileId }: Omit<Relay, 'bytes'>,
): Promise<RecordedRelay | undefined> {
  return readRelay(table, relayRecordKey(owner, jobId, fileId));
}

function readRelay(table: Table, key: PrimaryKey): Promise<RecordedRelay | undefined> {
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
