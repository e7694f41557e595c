import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { type DueKey, sweepDue } from '#lib/table/due-index.ts';
import { listShards } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { TooManyDownloadsError } from '../errors.ts';
import { relayKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { type FetchedFile, pointToFile } from './job-file.ts';
import {
  findRelay,
  listRelays,
  type RecordedRelay,
  type Relay,
  readRelay,
  releaseRelay,
  reserveRelay,
} from './relay-store.ts';

/** The table counts the copies, and the object store holds them. */
export interface RelayStores {
  readonly table: Table;
  readonly results: ObjectStore;
}

interface RelayedFile extends Relay {
  readonly name: string;
  /** True if the file can no longer change, so an earlier copy of the same length can be reused. */
  readonly settled: boolean;
}

type Removing = Pick<RelayStores, 'table'> & { readonly results: Pick<ObjectStore, 'remove'> };

const removedAtOnce = 10;

/**
 * Copies a file to the storage and returns its URL. Reuses the copy of an earlier request. If the
 * job is deleted meanwhile, the record of the copy is gone, and this request removes the copy.
 */
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
  if (!(await findRelay(table, file))) {
    await results.remove(key);
    throw new RemoteFileNotFoundError();
  }
  return pointToFile(results, key, file.name);
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
