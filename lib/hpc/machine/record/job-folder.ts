import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fetching } from '#lib/catalog/input-addresses.ts';
import type { Sending } from '#lib/catalog/output-addresses.ts';
import { type ProcessMark, readBootId, readMark } from './process-mark.ts';

/**
 * The folder of a job on this machine. It is all that is known about the job: the service keeps
 * nothing in memory, so a restart reads the same files again (read-folder.ts).
 *
 *   order.json      what to run and with which limits; written before anything starts
 *   claim           created once, by the process that starts the job or decides that it never starts
 *   started.json    the processes of the job, once it runs
 *   heartbeat.json  how long it has run so far, written every second or so
 *   cancel          present if the job shall end
 *   exit.json       how it ended; the last file that is written
 *   removed         present if the folder shall be removed once the job has ended
 *   stdout, stderr  what the command printed
 *   image.log       what the program printed that fetched the image, for a job in an image
 *   work/           the working directory: the unpacked input and what the job wrote
 *   tmp/            TMPDIR of the job, with its HOME, which is empty at first
 */
export const partsOfFolder = {
  order: 'order.json',
  claim: 'claim',
  started: 'started.json',
  heartbeat: 'heartbeat.json',
  cancel: 'cancel',
  exit: 'exit.json',
  removed: 'removed',
  stdout: 'stdout',
  stderr: 'stderr',
  imageLog: 'image.log',
  work: 'work',
  temporary: 'tmp',
  home: 'tmp/home',
} as const;

/** Bump it when a file changes in a way that older code would misread. */
export const folderVersion = 1;

/** From the one that holds best to the one that holds least (control-group.ts). */
export const limitLevels = ['systemd', 'control-group', 'control-group-v1', 'watched'] as const;
export type LimitLevel = (typeof limitLevels)[number];

export const exitCauses = [
  /** By itself. */
  'ended',
  /** Stopped at a limit. */
  'time',
  'memory',
  'output',
  'cancelled',
  /** The program could not be started. */
  'missing',
  /** The image could not be fetched, so the program was not started. */
  'unfetched',
  /** It ended well, but an output could not be sent. */
  'unsent',
  /** Nobody saw the end, because the machine or the shepherd stopped. */
  'lost',
] as const;

export interface FolderOrder {
  readonly version: typeof folderVersion;
  readonly jobId: string;
  /** Program and arguments. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /**
   * In the environment of every process of the job, whatever session or parent it moves to. It is
   * random, so that no process of somebody else can have it. Missing in orders of older versions.
   */
  readonly mark?: string | undefined;
  /** Files that are fetched before the command runs. */
  readonly fetching?: Fetching | undefined;
  /** Files that are sent after it has ended well. */
  readonly sending?: Sending | undefined;
  /** The account that the command runs as, if it is not that of the service. */
  readonly login?: string | undefined;
  /** The folder of the job's project, if it has one. Missing in orders of older versions. */
  readonly kept?:
    | {
        readonly path: string;
        readonly maxBytes: number;
        /** The group that the job is given for it, if it runs as an account of its own. */
        readonly group?: number | undefined;
      }
    | undefined;
  /** Waiting jobs start in the order of this number. */
  readonly sequence: number;
  readonly cores: number;
  readonly limits: {
    readonly seconds: number;
    readonly memoryBytes: number;
    readonly processes: number;
    /** For all files of the job together, its output included. */
    readonly outputBytes: number;
    /** Between the request to end and the kill; 10 if it is missing. */
    readonly graceSeconds?: number | undefined;
    /** How memory and processes are limited: `watched` if it is missing. */
    readonly level?: LimitLevel | undefined;
  };
  /** Set for a job in an image. */
  readonly image?:
    | {
        readonly name: string;
        /** Program and arguments that bring the image here, before anything else starts. */
        readonly fetch: readonly string[];
        /** Those that end what the job may have left running in the image. */
        readonly remove: readonly string[];
      }
    | undefined;
  readonly sandbox?:
    | {
        readonly network: boolean;
        /** Files and folders that the job sees besides the system and its own folders. */
        readonly readable: readonly string[];
      }
    | undefined;
}

export interface FolderClaim {
  readonly version: typeof folderVersion;
  readonly by: ProcessMark;
  readonly bootId: string;
}

export interface FolderStarted {
  readonly version: typeof folderVersion;
  readonly shepherd: ProcessMark;
  readonly job: ProcessMark;
  readonly bootId: string;
  readonly at: string;
  /** Folders of the job's control groups, if the machine offers them. */
  readonly groups: readonly string[];
}

export interface FolderHeartbeat {
  readonly version: typeof folderVersion;
  readonly at: string;
  readonly seconds: number;
}

export interface FolderExit {
  readonly version: typeof folderVersion;
  readonly cause: (typeof exitCauses)[number];
  readonly code: number | null;
  readonly signal: string | null;
  /** Set for a job that was lost because the machine stopped. */
  readonly machineStopped?: boolean | undefined;
  /** Explains an end that the other fields do not, in a sentence for the owner. */
  readonly reason?: string | undefined;
  readonly startedAt: string | null;
  readonly endedAt: string;
  /** How long the job ran, by a clock that nobody sets. */
  readonly seconds: number;
  /** Processor time of all its processes, and the most memory that they used at once. */
  readonly cpuSeconds?: number | undefined;
  readonly memoryBytes?: number | undefined;
}

/** Creates the folder of a job, for its account alone. */
export function createJobFolder(folder: string): void {
  for (const part of ['', partsOfFolder.work, partsOfFolder.home]) {
    mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  }
}

export const writeOrder = (folder: string, order: FolderOrder) =>
  writePart(folder, partsOfFolder.order, order);

export const writeStarted = (folder: string, started: FolderStarted) =>
  writePart(folder, partsOfFolder.started, started);

/** Does not wait for the disk, because that can take seconds while a job writes much. */
export const writeHeartbeat = (folder: string, heartbeat: FolderHeartbeat) =>
  writePart(folder, partsOfFolder.heartbeat, heartbeat, { flush: false });

/** Returns whether this process is the first. Only the first may start the job or give it up. */
export function claimJob(folder: string): boolean {
  const by = readMark(process.pid);
  if (by === undefined) throw new Error('This process cannot read when it started.');
  const claim: FolderClaim = { version: folderVersion, by, bootId: readBootId() };
  return writeOnce(folder, partsOfFolder.claim, claim);
}

/** Returns whether this end is the one that counts. An earlier one is never replaced. */
export const writeExit = (folder: string, exit: FolderExit) =>
  writeOnce(folder, partsOfFolder.exit, exit);

/** Asks the shepherd of a started job to end it. */
export function requestCancel(folder: string): void {
  writeFileSync(join(folder, partsOfFolder.cancel), '', { mode: 0o600 });
}

/** Writes aside and renames, so that nobody reads half a file. */
function writePart(folder: string, name: string, content: object, { flush = true } = {}): void {
  renameSync(writeAside(folder, name, content, flush), join(folder, name));
}

/** A link, unlike a rename, fails if the name is taken. */
function writeOnce(folder: string, name: string, content: object): boolean {
  const aside = writeAside(folder, name, content, true);
  try {
    linkSync(aside, join(folder, name));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside);
  }
}

function writeAside(folder: string, name: string, content: object, flush: boolean): string {
  const aside = join(folder, `.${name}.${randomUUID()}`);
  writeFileSync(aside, JSON.stringify(content), { mode: 0o600, flush });
  return aside;
}
