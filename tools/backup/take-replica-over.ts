import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { openTable } from '#lib/table/table.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { rebuildDatabase } from '#local/dynamodb/replica/rebuild.ts';
import { roundMs } from '#local/dynamodb/replica/replica.ts';
import {
  type Owner,
  raiseFence,
  readAlive,
  readOwner,
  replicaFiles,
  writeWhole,
} from '#local/dynamodb/replica/replica-folder.ts';
import { tableName } from '#local/names.ts';
import { prepareTable } from './restore.ts';

/** More than are given in the seconds that a replica may lack. */
const leaveOut = 10_000;

/** Long enough for the other machine to read the fence, if it can, and to end. */
const patienceMs = 3 * roundMs;

/**
 * Restores the table of a replica into a data folder, for this machine to go on with it. The fence
 * comes first, so that nothing is added to the replica while it is read.
 */
export async function takeReplicaOver(place: string, data: string, systems: readonly HpcSystem[]) {
  const folder = join(data, 'dynamodb');
  if (existsSync(folder)) {
    throw new Error(`${folder} exists already. Move the data folder away first.`);
  }
  const own = await raiseFence(place, await requireOwner(place));
  await wait(patienceMs);
  const alive = await readAlive(place);
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await rebuild(place, draft);
  const prepared = await prepare(draft, systems);
  await writeWhole(join(draft, replicaFiles.membership), own);
  await rename(draft, folder);
  return { epoch: own.epoch, until: alive?.time, ...prepared };
}

/** Restores the table of a replica to try it, and removes it again. Returns the age of the replica. */
export async function tryReplica(place: string): Promise<{ ageSeconds: number }> {
  await requireOwner(place);
  const alive = await readAlive(place);
  const scratch = await mkdtemp(join(tmpdir(), 'slipway-replica-'));
  try {
    await rebuild(place, join(scratch, 'dynamodb'));
  } finally {
    await rm(scratch, { recursive: true });
  }
  const ageSeconds = alive
    ? (Date.now() - Date.parse(alive.time)) / 1000
    : Number.POSITIVE_INFINITY;
  return { ageSeconds };
}

async function requireOwner(place: string): Promise<Owner> {
  const owner = await readOwner(place);
  if (!owner) throw new Error(`${place} does not hold a replica. Is it mounted?`);
  return owner;
}

/** The service may remove an old base and its logs while they are read. The next ones are whole. */
async function rebuild(place: string, folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rebuildDatabase(place, folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      const isRemoved = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isRemoved || tries === 3) throw error;
    }
  }
}

async function prepare(path: string, systems: readonly HpcSystem[]) {
  const database = await startEmbeddedDynamoDb({ path });
  connectInProcess(database.connection);
  try {
    return await prepareTable(openTable(tableName), systems, leaveOut);
  } finally {
    connectInProcess();
    await database.close();
  }
}
