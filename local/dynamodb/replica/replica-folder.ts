import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';

/** Says whose replica a folder holds, and who may add to it: only the data with this epoch. */
const Owner = v.object({
  version: v.literal(1),
  replica: v.string(),
  epoch: v.number(),
  host: v.string(),
  since: v.string(),
});

export type Owner = v.InferOutput<typeof Owner>;

/** What data knows of its replica. It lies beside the table, and a backup does not have it. */
const Membership = v.pick(Owner, ['replica', 'epoch']);

export type Membership = v.InferOutput<typeof Membership>;

/** A number of bytes of a log. Those before them, and of the logs before it, are there too. */
const Reached = v.object({ segment: v.number(), bytes: v.number() });

export type Reached = v.InferOutput<typeof Reached>;

/** Everything that was committed before this time is in the replica. */
const Alive = v.object({ time: v.string(), generation: v.string(), reached: Reached });

export type Alive = v.InferOutput<typeof Alive>;

/** The first part of a replica: a copy of the main file, and where the logs to replay begin and reach. */
const Base = v.object({
  first: v.number(),
  sha256: v.string(),
  through: Reached,
});

export type Base = v.InferOutput<typeof Base>;

export const replicaFiles = {
  owner: 'owner.json',
  alive: 'alive.json',
  /** In the folder of the table. */
  membership: 'replica.json',
};

/** Another machine has taken over. This one may not write any more. */
export class FencedError extends Error {
  override name = 'FencedError';
}

export const readOwner = (place: string) => read(Owner, join(place, replicaFiles.owner));
export const readAlive = (place: string) => read(Alive, join(place, replicaFiles.alive));
export const readBase = (file: string) => read(Base, file);

/** Nothing here is synchronous, because a network folder may hang while the service answers. */
async function read<Schema extends v.GenericSchema>(
  schema: Schema,
  file: string,
): Promise<v.InferOutput<Schema> | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const found = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (!found.success) throw new Error(`${file} cannot be read. ${help}`);
  return found.output;
}

const help = 'What to do is in docs/standby.md, "If something is wrong".';

/**
 * Checks before the data is opened that it may write to this replica, and notes the replica beside
 * new data. A folder that should hold the replica and does not is probably not mounted.
 */
export async function enterReplica(place: string, data: string): Promise<Membership> {
  const file = join(data, replicaFiles.membership);
  const known = await read(Membership, file);
  const owner = await readOwner(place);
  if (known) {
    refuseOther(place, owner, known);
    return known;
  }
  if (owner) {
    throw new Error(
      `${place} holds the replica of other data, or of this data before a restore. Name an empty folder in REPLICA_DIR. ${help}`,
    );
  }
  const fresh = { replica: randomUUID(), epoch: 1 };
  await mkdir(data, { recursive: true, mode: 0o700 });
  await mkdir(place, { recursive: true, mode: 0o700 });
  await writeWhole(join(place, replicaFiles.owner), describeOwner(fresh));
  await writeWhole(file, fresh);
  return fresh;
}

/** Throws unless the folder holds this replica, and nobody has taken it over. */
export function refuseOther(place: string, owner: Owner | undefined, own: Membership): void {
  if (!owner) throw new Error(`${place} does not hold the replica. Is it mounted?`);
  if (owner.replica !== own.replica || owner.epoch < own.epoch) {
    throw new Error(`${place} holds another replica than that of this data. ${help}`);
  }
  if (owner.epoch > own.epoch) {
    throw new FencedError(
      `${owner.host} has taken over this service at ${owner.since}. This machine writes nothing any more. How it comes back is in docs/standby.md, "The way back".`,
    );
  }
}

/** Takes the replica over. From now on, data with an earlier epoch is refused. */
export async function raiseFence(place: string, owner: Owner): Promise<Membership> {
  const raised = { replica: owner.replica, epoch: owner.epoch + 1 };
  await writeWhole(join(place, replicaFiles.owner), describeOwner(raised));
  return raised;
}

function describeOwner(own: Membership): Owner {
  return { version: 1, ...own, host: hostname(), since: new Date().toISOString() };
}

/** Replaces a file, so that readers find the old content or the new. */
export async function writeWhole(file: string, content: object): Promise<void> {
  const draft = `${file}.draft`;
  const opened = await open(draft, 'w', 0o600);
  try {
    await opened.writeFile(`${JSON.stringify(content)}\n`);
    await opened.sync();
  } finally {
    await opened.close();
  }
  await rename(draft, file);
}

const digits = (number: number, width: number) => String(number).padStart(width, '0');

/** Names the folder of what one process writes. Later ones, and those of later epochs, sort last. */
export function nameGeneration(epoch: number, now: Date): string {
  return `${digits(epoch, 6)}-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
}

/** Lists the generations of a replica, the latest first. */
export async function listGenerations(place: string): Promise<string[]> {
  return (await readdir(place))
    .filter((name) => /^\d{6}-\w+$/.test(name))
    .sort()
    .reverse();
}

export const nameBase = (number: number) => `${digits(number, 9)}.base`;

/** The name says how long the segment before is, so that a shortened one is noticed. */
export const nameSegment = (segment: number, before: number) =>
  `${digits(segment, 9)}.after-${before}.wal`;

export interface Segment {
  readonly name: string;
  readonly segment: number;
  readonly before: number;
}

/** Lists the segments of a generation by number. */
export async function listSegments(folder: string): Promise<Segment[]> {
  return (await readdir(folder)).sort().flatMap((name) => {
    const [, segment, before] = /^(\d{9})\.after-(\d+)\.wal$/.exec(name) ?? [];
    return segment === undefined ? [] : [{ name, segment: +segment, before: Number(before) }];
  });
}
