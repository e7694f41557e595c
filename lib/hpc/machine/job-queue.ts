import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from './files/remove-folder.ts';
import {
  claimJob,
  type FolderOrder,
  folderVersion,
  partsOfFolder,
  requestCancel,
  writeExit,
} from './record/job-folder.ts';
import { readHeartbeat, readOrder } from './record/read-folder.ts';
import { chooseStarts } from './slots.ts';
import type { ThisMachine } from './this-machine.ts';

/** A job that has not ended, as far as its folder says. */
interface ActiveJob {
  readonly id: string;
  readonly folder: string;
  readonly hpc: string;
  readonly order: FolderOrder;
}

export interface JobQueue {
  folderOf(hpc: string, jobId: string): string;
  /** Adds a job whose order `write` writes, with the number that it gets in the queue. */
  add(hpc: string, jobId: string, write: (sequence: number) => void): Promise<void>;
  /** Starts every waiting job that has its turn, and forgets those that have ended. */
  advance(): Promise<void>;
  /** Returns how many jobs are ahead of a waiting one, or undefined for any other job. */
  placeOf(hpc: string, jobId: string): number | undefined;
}

/**
 * A shepherd that fails before it has claimed its job is started again, but not for ever. The
 * machine may lack memory or processes for a moment.
 */
const failedStartsToGiveUp = 5;

/** Names of systems begin with a letter, so this is none of them. */
const activeFolder = '.active';

/** The queue of each place for jobs, because two systems may share one machine. */
const queues = new Map<string, JobQueue>();

/** Opens the queue of all jobs on this machine, whatever system they belong to. */
export function openQueue(machine: ThisMachine): JobQueue {
  const open = queues.get(machine.directory) ?? createQueue(machine);
  queues.set(machine.directory, open);
  return open;
}

/** Forgets a queue once nothing runs any more. */
export function closeQueue({ directory }: Pick<ThisMachine, 'directory'>): void {
  queues.delete(directory);
}

/**
 * What is known about jobs is in their folders. A mark for each active job keeps the queue from
 * reading the folders of all ended ones. In memory there are only copies of orders, which never
 * change, and the shepherds that have not claimed their job yet.
 */
function createQueue(machine: ThisMachine): JobQueue {
  const { directory } = machine;
  const marks = join(directory, activeFolder);
  mkdirSync(marks, { recursive: true, mode: 0o700 });
  const orders = new Map<string, FolderOrder>();
  const starting = new Set<string>();
  const failedStarts = new Map<string, number>();
  let places: ReadonlyMap<string, number> = new Map();
  let lastSequence = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const folderOf = (hpc: string, jobId: string) => join(directory, hpc, jobId);
  const markOf = (id: string) => join(marks, id);

  /** One after the other, so that two calls never hand out the same cores. */
  function inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  /** Drops marks without an order: the job was removed, or the process that added it was killed. */
  function listActive(): ActiveJob[] {
    return readdirSync(marks).flatMap((id) => {
      const [hpc = '', jobId = ''] = id.split('.');
      const folder = folderOf(hpc, jobId);
      const order = hasPart(folder, 'order') && (orders.get(id) ?? readOrder(folder));
      if (!order) {
        orders.delete(id);
        rmSync(markOf(id), { force: true });
        return [];
      }
      orders.set(id, order);
      lastSequence = Math.max(lastSequence, order.sequence);
      return [{ id, hpc, folder, order }];
    });
  }

  async function forget({ id, folder }: ActiveJob): Promise<void> {
    orders.delete(id);
    failedStarts.delete(id);
    rmSync(markOf(id), { force: true });
    if (hasPart(folder, 'removed')) await removeFolder(folder);
  }

  async function startDue(): Promise<void> {
    const {
      ended = [],
      taken = [],
      waiting = [],
    } = Object.groupBy(listActive(), (job) => {
      if (hasPart(job.folder, 'exit')) return 'ended';
      return starting.has(job.id) || hasPart(job.folder, 'claim') ? 'taken' : 'waiting';
    });
    for (const job of ended) await forget(job);
    waiting.sort((one, other) => one.order.sequence - other.order.sequence);
    const starts = new Set(
      chooseStarts(
        machine,
        taken.map(({ hpc, folder, order }) => ({
          system: hpc,
          cores: order.cores,
          seconds: order.limits.seconds - (readHeartbeat(folder)?.seconds ?? 0),
        })),
        waiting.map(({ id, hpc, order }) => ({
          id,
          system: hpc,
          cores: order.cores,
          seconds: order.limits.seconds,
        })),
      ),
    );
    for (const job of waiting.filter(({ id }) => starts.has(id))) void start(job);
    const remaining = waiting.filter(({ id }) => !starts.has(id));
    places = new Map(remaining.map(({ id }, place) => [id, place]));
  }

  async function start(job: ActiveJob): Promise<void> {
    const { id, folder } = job;
    starting.add(id);
    try {
      const { ended } = await machine.startShepherd(folder);
      await ended;
    } catch (error) {
      machine.reportFailure(error);
    }
    starting.delete(id);
    if (hasPart(folder, 'claim')) await inTurn(startDue).catch(machine.reportFailure);
    else noteFailedStart(job);
  }

  function noteFailedStart({ id, folder }: ActiveJob): void {
    const failures = (failedStarts.get(id) ?? 0) + 1;
    failedStarts.set(id, failures);
    if (failures < failedStartsToGiveUp || !existsSync(folder) || !claimJob(folder)) return;
    const reason = 'The job could not be started on this machine.';
    writeUnstarted(folder, 'missing', reason);
  }

  return {
    folderOf,
    add: (hpc, jobId, write) =>
      inTurn(async () => {
        listActive();
        lastSequence = Math.max(lastSequence + 1, Date.now());
        writeFileSync(markOf(`${hpc}.${jobId}`), '', { mode: 0o600 });
        write(lastSequence);
        await startDue();
      }),
    advance: () => inTurn(startDue),
    placeOf: (hpc, jobId) => places.get(`${hpc}.${jobId}`),
  };
}

/** Ends a job that was never started, or asks its shepherd to end it. */
export function cancelInFolder(folder: string): void {
  if (!hasPart(folder, 'order')) return;
  if (claimJob(folder)) writeUnstarted(folder, 'cancelled');
  else if (!hasPart(folder, 'exit')) requestCancel(folder);
}

/** Removes the files of a job at once if it has ended, otherwise when it has. */
export async function discardFolder(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  cancelInFolder(folder);
  if (!hasPart(folder, 'order') || hasPart(folder, 'exit')) return removeFolder(folder);
  writeFileSync(join(folder, partsOfFolder.removed), '', { mode: 0o600 });
}

function writeUnstarted(folder: string, cause: 'cancelled' | 'missing', reason?: string): void {
  writeExit(folder, {
    version: folderVersion,
    cause,
    code: null,
    signal: null,
    reason,
    startedAt: null,
    endedAt: new Date().toISOString(),
    seconds: 0,
  });
}

function hasPart(folder: string, part: keyof typeof partsOfFolder): boolean {
  return existsSync(join(folder, partsOfFolder[part]));
}
