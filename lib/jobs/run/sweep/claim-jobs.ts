import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { type DueKey, moveDue } from '#lib/table/due-index.ts';
import { jobKey, type PrimaryKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { jobFromItem } from '../../job.ts';
import { lifeFromItem } from '../../life/job-life.ts';
import type { ActiveJob, Sweep } from './sweep.ts';

/** Below a minute, so that jobs that one sweep claimed are due when the next one begins. */
const shortestLeaseSeconds = 50;

/** As many as there are connections. More writes would wait for one until they time out. */
const parallelWrites = 50;

/** Jobs that are read together. If the table is too busy for a batch, the whole batch waits. */
const jobsPerRead = 100;

/** Returns for how long nobody else claims a claimed job or checks it again. */
export function leaseSeconds({ pollFloorSeconds }: Connector): number {
  return Math.max(shortestLeaseSeconds, pollFloorSeconds);
}

/**
 * Leases the due jobs that nobody else has claimed. A job that cannot be claimed or read does not
 * hold up the others, and is due again after a lease at the latest.
 */
export async function claimJobs(
  { table, connector, now }: Pick<Sweep, 'table' | 'connector' | 'now'>,
  due: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<ActiveJob[]> {
  const until = addSeconds(now(), leaseSeconds(connector));
  const skip = (error: unknown): [] => {
    noteFailure(error);
    return [];
  };
  const lives = await mapInParallel(due, parallelWrites, (key) =>
    claimLife(table, key, until).catch(skip),
  );
  const taken: ActiveJob[] = [];
  for (const batch of splitIntoBatches(lives.flat(), jobsPerRead)) {
    taken.push(...(await readJobsOf(table, batch, noteFailure).catch(skip)));
  }
  return taken;
}

/** Returns nothing if another sweep was first: the index lags behind, so two may read one entry. */
async function claimLife(table: Table, due: DueKey, until: Date) {
  const life = await moveDue(table, due, until, { attempts: 1 });
  return life ? [life] : [];
}

/** Notes an item that could not be read, so that it does not hold up all others. */
export type NoteFailure = (error: unknown) => void;

/** Reads jobs and their lives by the keys of the lives, skipping those that are gone. */
export async function readLives(
  table: Table,
  keys: readonly PrimaryKey[],
  noteFailure: NoteFailure,
): Promise<ActiveJob[]> {
  return readJobsOf(table, await readItems(table, keys), noteFailure);
}

async function readJobsOf(
  table: Table,
  lives: readonly unknown[],
  noteFailure: NoteFailure,
): Promise<ActiveJob[]> {
  const parsed = parseEach(lives, noteFailure, lifeFromItem);
  const keys = parsed.map(({ account, jobId }) => jobKey(account, jobId));
  const jobs = parseEach(await readItems(table, keys), noteFailure, jobFromItem);
  const byId = new Map(jobs.map((job) => [job.jobId, job]));
  return parsed.flatMap((life) => {
    const job = byId.get(life.jobId);
    return job ? [{ job, life }] : [];
  });
}

function parseEach<Parsed>(
  items: readonly unknown[],
  noteFailure: NoteFailure,
  parse: (item: unknown) => Parsed,
): Parsed[] {
  return items.flatMap((item) => {
    try {
      return [parse(item)];
    } catch (error) {
      noteFailure(error);
      return [];
    }
  });
}
