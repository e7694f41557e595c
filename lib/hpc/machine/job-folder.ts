import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

/**
 * The folder of a job on this machine. It is all that is known about the job: the service keeps
 * nothing in memory, so a restart reads the same files again.
 *
 *   order.json      what to run and with which limits; written before anything starts
 *   claim           created once, by whoever starts the job or decides that it never starts
 *   started.json    the processes of the job, once it runs
 *   heartbeat.json  how long it has run so far, written every second or so
 *   cancel          present if the job shall end
 *   exit.json       how it ended; the last file that is written
 *   stdout, stderr  what the command printed
 *   work/           the working directory: the unpacked input and what the job wrote
 *   tmp/            TMPDIR of the job
 */
export const partsOfFolder = {
  order: 'order.json',
  claim: 'claim',
  started: 'started.json',
  heartbeat: 'heartbeat.json',
  cancel: 'cancel',
  exit: 'exit.json',
  stdout: 'stdout',
  stderr: 'stderr',
  work: 'work',
  temporary: 'tmp',
} as const;

/** Bump it when a file changes in a way that older code would misread. */
const version = v.literal(1);

const Order = v.object({
  version,
  jobId: v.string(),
  /** Program and arguments. */
  argv: v.pipe(v.array(v.string()), v.minLength(1)),
  environment: v.record(v.string(), v.string()),
  /** The account that the command runs as, if it is not that of the service. */
  login: v.optional(v.string()),
  /** Waiting jobs start in the order of this number. */
  sequence: v.number(),
  cores: v.number(),
  limits: v.object({
    seconds: v.number(),
    memoryBytes: v.number(),
    processes: v.number(),
    /** For all files of the job together, its output included. */
    outputBytes: v.number(),
  }),
  sandbox: v.optional(
    v.object({
      network: v.boolean(),
      /** Folders that the job must not see. */
      hidden: v.array(v.string()),
    }),
  ),
});

/** A process id alone may belong to another process by now. */
const ProcessMark = v.object({
  pid: v.number(),
  /** When the process started, in the machine's own unit. */
  startTime: v.string(),
});

const Started = v.object({
  version,
  shepherd: ProcessMark,
  job: ProcessMark,
  bootId: v.string(),
  at: v.string(),
  /** The control groups of the job, if the machine offers them. */
  groups: v.optional(v.array(v.string()), []),
});

const Heartbeat = v.object({ version, at: v.string(), seconds: v.number() });

const Exit = v.object({
  version,
  /**
   * `ended`: by itself. `time`, `memory`, `output`: stopped at a limit. `cancelled`: on request.
   * `missing`: the program could not be started. `lost`: nobody saw the end, because the machine or
   * the shepherd stopped.
   */
  cause: v.picklist(['ended', 'time', 'memory', 'output', 'cancelled', 'missing', 'lost']),
  code: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  /** Explains a cause that the other fields cannot, in a sentence for the owner. */
  reason: v.optional(v.string()),
  startedAt: v.nullable(v.string()),
  endedAt: v.string(),
  /** How long the job ran, by a clock that nobody sets. */
  seconds: v.number(),
});

export type FolderOrder = v.InferOutput<typeof Order>;
export type ProcessMark = v.InferOutput<typeof ProcessMark>;
export type FolderStarted = v.InferOutput<typeof Started>;
export type FolderHeartbeat = v.InferOutput<typeof Heartbeat>;
export type FolderExit = v.InferOutput<typeof Exit>;

export const readOrder = (folder: string) => readPart(folder, partsOfFolder.order, Order);
export const readStarted = (folder: string) => readPart(folder, partsOfFolder.started, Started);
export const readHeartbeat = (folder: string) =>
  readPart(folder, partsOfFolder.heartbeat, Heartbeat);
export const readExit = (folder: string) => readPart(folder, partsOfFolder.exit, Exit);

export const writeOrder = (folder: string, order: FolderOrder) =>
  writePart(folder, partsOfFolder.order, order);
export const writeStarted = (folder: string, started: FolderStarted) =>
  writePart(folder, partsOfFolder.started, started);
export const writeHeartbeat = (folder: string, heartbeat: FolderHeartbeat) =>
  writePart(folder, partsOfFolder.heartbeat, heartbeat);
export const writeExit = (folder: string, exit: FolderExit) =>
  writePart(folder, partsOfFolder.exit, exit);

/** Returns whether this caller is the first. Only the first may start the job or give it up. */
export function claimJob(folder: string): boolean {
  try {
    closeSync(openSync(join(folder, partsOfFolder.claim), 'wx', 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns undefined for a file that is not there. Damaged files throw: they were renamed whole. */
function readPart<const S extends v.GenericSchema>(
  folder: string,
  name: string,
  schema: S,
): v.InferOutput<S> | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return v.parse(v.pipe(v.string(), v.parseJson(), schema), text);
}

/** Writes aside and renames, so that nobody reads half a file. */
function writePart(folder: string, name: string, content: object): void {
  const aside = join(folder, `.${name}.${randomUUID()}`);
  writeFileSync(aside, JSON.stringify(content), { mode: 0o600, flush: true });
  renameSync(aside, join(folder, name));
}

/** Creates the folder of a job, for its account alone. */
export function createJobFolder(folder: string): void {
  for (const part of ['', partsOfFolder.work, partsOfFolder.temporary]) {
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  }
}
