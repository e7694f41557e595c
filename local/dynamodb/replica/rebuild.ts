import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readLog } from '../seal/read-log.ts';
import { fileNames, openDatabase, sealCopy } from '../store/open-database.ts';
import { DamageError } from '../values/errors.ts';
import {
  type Base,
  listGenerations,
  listSegments,
  readBase,
  type Segment,
} from './replica-folder.ts';

/**
 * Builds the database of a replica in a new folder: the latest base, and all commits of the logs
 * since. Checks each sum on the way and the whole database at the end, and seals it.
 */
export async function rebuildDatabase(place: string, folder: string): Promise<void> {
  const { generation, file, base } = await findBase(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const main = await open(join(folder, fileNames.main), 'wx+', 0o600);
  try {
    await copyBase(file, main, base.sha256);
    await replayLogs(generation, base, main);
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
    if (base) return { generation, base, file: join(generation, described.slice(0, -5)) };
  }
  throw new Error(
    `${place} holds no whole replica yet. The service makes its first one in seconds.`,
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

async function replayLogs(generation: string, base: Base, main: FileHandle): Promise<void> {
  const segments = (await listSegments(generation)).filter(({ segment }) => segment >= base.first);
  await refuseGaps(generation, segments, base);
  for (const { name } of segments) {
    const log = readLog(join(generation, name));
    const latest = new Map(
      log?.frames.slice(0, log.replayable).map(({ page, content }) => [page, content]),
    );
    for (const [page, content] of latest) {
      await main.write(content, 0, content.length, (page - 1) * content.length);
    }
    const [content] = latest.values();
    if (log && content) await main.truncate(log.pages * content.length);
    const isLast = name === segments.at(-1)?.name;
    if (!isLast && log?.replayable !== log?.frames.length) {
      throw new DamageError(`${join(generation, name)} is not as it was written`);
    }
  }
}

/** A folder that is copied while it is written may lack what its base needs. */
async function refuseGaps(generation: string, segments: Segment[], { through }: Base) {
  const lengths = new Map<number, number>();
  for (const { name, segment, before } of segments) {
    const former = lengths.get(segment - 1) ?? 0;
    if (lengths.size > 0 && former !== before) {
      throw new DamageError(`${join(generation, name)} does not follow the log before it`);
    }
    lengths.set(segment, (await stat(join(generation, name))).size);
  }
  const isReached = segments.some(
    ({ segment }) => segment > through.segment || (lengths.get(segment) ?? 0) >= through.bytes,
  );
  if (through.bytes > 0 && !isReached) {
    throw new DamageError(`${generation} lacks logs that its base needs`);
  }
}
