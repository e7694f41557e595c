import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  exitCauses,
  type FolderClaim,
  type FolderExit,
  type FolderHeartbeat,
  type FolderOrder,
  type FolderStarted,
  folderVersion,
  limitLevels,
  partsOfFolder,
} from './job-folder.ts';

const version = v.literal(folderVersion);
const ProcessMark = v.object({ pid: v.number(), startTime: v.string() });

const Order: Schema<FolderOrder> = v.object({
  version,
  jobId: v.string(),
  argv: v.pipe(v.array(v.string()), v.minLength(1)),
  environment: v.record(v.string(), v.string()),
  mark: v.optional(v.string()),
  login: v.optional(v.string()),
  kept: v.optional(
    v.object({ path: v.string(), maxBytes: v.number(), group: v.optional(v.number()) }),
  ),
  sequence: v.number(),
  cores: v.number(),
  limits: v.object({
    seconds: v.number(),
    memoryBytes: v.number(),
    processes: v.number(),
    outputBytes: v.number(),
    graceSeconds: v.optional(v.number()),
    level: v.optional(v.picklist(limitLevels)),
  }),
  image: v.optional(
    v.object({ name: v.string(), fetch: v.array(v.string()), remove: v.array(v.string()) }),
  ),
  sandbox: v.optional(
    v.object({ network: v.boolean(), readable: v.optional(v.array(v.string()), []) }),
  ),
});

const Claim: Schema<FolderClaim> = v.object({ version, by: ProcessMark, bootId: v.string() });

const Started: Schema<FolderStarted> = v.object({
  version,
  shepherd: ProcessMark,
  job: ProcessMark,
  bootId: v.string(),
  at: v.string(),
  groups: v.optional(v.array(v.string()), []),
});

const Heartbeat: Schema<FolderHeartbeat> = v.object({
  version,
  at: v.string(),
  seconds: v.number(),
});

const Exit: Schema<FolderExit> = v.object({
  version,
  cause: v.picklist(exitCauses),
  machineStopped: v.optional(v.boolean()),
  code: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  reason: v.optional(v.string()),
  startedAt: v.nullable(v.string()),
  endedAt: v.string(),
  seconds: v.number(),
  cpuSeconds: v.optional(v.number()),
  memoryBytes: v.optional(v.number()),
});

type Schema<T> = v.GenericSchema<unknown, T>;

/** These return undefined for a missing file. Damaged ones throw, because they were renamed whole. */
export const readOrder = (folder: string) => readPart(folder, partsOfFolder.order, Order);
export const readClaim = (folder: string) => readPart(folder, partsOfFolder.claim, Claim);
export const readStarted = (folder: string) => readPart(folder, partsOfFolder.started, Started);
export const readExit = (folder: string) => readPart(folder, partsOfFolder.exit, Exit);

/** Returns undefined for a damaged heartbeat as well: it is the only file not flushed to the disk. */
export function readHeartbeat(folder: string): FolderHeartbeat | undefined {
  try {
    return readPart(folder, partsOfFolder.heartbeat, Heartbeat);
  } catch (error) {
    if (error instanceof v.ValiError) return undefined;
    throw error;
  }
}

function readPart<T>(folder: string, name: string, schema: Schema<T>): T | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return v.parse(v.pipe(v.string(), v.parseJson(), schema), text);
}
