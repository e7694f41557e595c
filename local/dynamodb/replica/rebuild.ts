import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { frameHeaderBytes, headerBytes, readLog } from '../seal/read-log.ts';
import { fileNames, openDatabase, sealCopy } from '../store/open-database.ts';
import { DamageError } from '../values/errors.ts';
import {
  type Base,
  listGenerations,
  listSegments,
  type Reached,
  readAlive,
  readBase,
} from './replica-folder.ts';

/**
 * Builds the database of a replica in a new folder: the latest base, and all commits of the logs
 * since. Checks each sum on the way and the whole database at the end, and seals it.
 */
export async function rebuildDatabase(place: string, folder: string): Promise<void> {
  // Read first, because the replica may grow meanwhile.
  const alive = await readAlive(place);
  const { name, file, base } = await findBase(place);
  const needed = [base.through, ...(alive?.generation === name ? [alive.reached] : [])];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const main = await open(join(folder, fileNames.main), 'wx+', 0o600);
  try {
    await copyBase(file, main, base.sha256);
    const reached = await replayLogs(join(place, name), base, main);
    if (!needed.every((each) => isWithin(each, reached))) {
      throw new DamageError(`${join(place, name)} lacks logs that were written to it`);
    }
    await main.sync();
  } finally {
    await main.close();
  }
  sealCopy(folder);
  openDatabase({ path: folder, check: 'full' }).close();
}

async function findBase(place: string) {
  for (const name of await listGenerations(place)) {
    const generation = join(place, name);
    const bases = (await readdir(generation)).filter((each) => each.endsWith('.base.json')).sort();
    const described = bases.at(-1);
    if (described === undefined) continue;
    const base = await readBase(join(generation, described));
    if (base) return { name, base, file: join(generation, described.slice(0, -'.json'.length)) };
  }
  throw new Error(
    `${place} holds no whole replica yet. The service makes the first one in seconds.`,
  );
}

async function copyBase(file: string, main: FileHandle, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  let position = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 })) {
    const bytes: Buffer = chunk;
    hash.update(bytes);
    await main.write(bytes, 0, bytes.length, position);
    position += bytes.length;
  }
  if (hash.digest('hex') !== sha256) throw new DamageError(`${file} is not as it was written`);
}

/** Each log must have the length that the next one names. Only the last one may be cut off. */
async function replayLogs(generation: string, base: Base, main: FileHandle): Promise<Reached> {
  let reached: Reached = { segment: base.first, bytes: 0 };
  for (const { name, segment, before } of await listSegments(generation)) {
    if (segment < base.first) continue;
    if (segment > base.first && (reached.segment < segment - 1 || reached.bytes !== before)) {
      throw new DamageError(`${join(generation, name)} does not follow the log before it`);
    }
    reached = { segment, bytes: await replayLog(join(generation, name), main) };
  }
  return reached;
}

/** Returns how many bytes of the log were replayed. */
async function replayLog(file: string, main: FileHandle): Promise<number> {
  const log = readLog(file);
  const frames = log?.frames.slice(0, log.replayable) ?? [];
  const [first] = frames;
  if (!log || !first) return 0;
  const pageSize = first.content.length;
  for (const [page, content] of new Map(frames.map(({ page, content }) => [page, content]))) {
    await main.write(content, 0, pageSize, (page - 1) * pageSize);
  }
  await main.truncate(log.pages * pageSize);
  return headerBytes + frames.length * (frameHeaderBytes + pageSize);
}

function isWithin({ segment, bytes }: Reached, reached: Reached): boolean {
  return segment < reached.segment || (segment === reached.segment && bytes <= reached.bytes);
}
