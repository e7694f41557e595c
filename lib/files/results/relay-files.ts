import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { listRelayShards } from '#lib/table/keys.ts';
import { type DueKey, walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
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

/** Where copies are counted, and where they lie. */
export interface RelayPlaces {
  readonly table: Table;
  readonly results: ObjectStore;
}

export interface RelayedFile extends Relay {
  readonly name: string;
  /** Whether the file can change no more, so that an earlier copy of the same length will do. */
  readonly settled: boolean;
}

type Removing = Pick<RelayPlaces, 'table'> & { readonly results: Pick<ObjectStore, 'remove'> };

const removedAtOnce = 10;

/** No page is begun after this, so that the sweep has ended before its function is ended. */
const sweepMs = 30_000;

const pageSize = 100;

/**
 * Copies a file to where an address leads to, unless an earlier request came this far. A job that
 * is deleted meanwhile takes the record of the copy with it, and this request then removes the copy.
 */
export async function relayFile(
  { table, results }: RelayPlaces,
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

/** Copies that are due need not wait for the sweep if their owner needs the room. */
async function makeRoom(places: RelayPlaces, file: RelayedFile, now: Date): Promise<void> {
  const { table } = places;
  try {
    await reserveRelay(table, file, now);
  } catch (error) {
    if (!(error instanceof TooManyDownloadsError)) throw error;
    const due = (await listRelays(table, file.owner)).filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) throw error;
    await mapInParallel(due, removedAtOnce, (relay) => removeRelay(places, relay));
    await reserveRelay(table, file, now);
  }
}

/** Removes the copies of a job that is gone. */
export async function removeRelaysOf(places: Removing, owner: UserId, jobId: JobId): Promise<void> {
  const relays = await listRelays(places.table, owner, jobId);
  await mapInParallel(relays, removedAtOnce, (relay) => removeRelay(places, relay));
}

/** Removes the copies whose addresses have expired. What fails stays due for the next sweep. */
export async function sweepRelays(places: Removing, clock = () => new Date()): Promise<void> {
  const now = clock();
  const remove = async (key: DueKey) => {
    // As it is now: the index lags behind.
    const relay = await readRelay(places.table, key);
    if (relay && relay.dueAt <= now) await removeRelay(places, relay);
  };
  for await (const page of walkDue(places.table, listRelayShards(), now, pageSize)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    await mapInParallel(page, removedAtOnce, remove);
  }
}

/**
 * Removes the record first, because only whoever removes it may remove the copy: another request
 * may have reserved it again. If the process ends in between, the bucket's own rule removes the
 * copy, and on a laptop the next start does.
 */
async function removeRelay({ table, results }: Removing, relay: RecordedRelay): Promise<void> {
  if (await releaseRelay(table, relay)) await results.remove(keyOf(relay));
}

function keyOf({ owner, jobId, fileId }: Relay): string {
  return relayKey(owner, jobId, fileId);
}
