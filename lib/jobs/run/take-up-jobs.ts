import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { type AccountKey, jobKey, jobLifeKey } from '#lib/table/keys.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused, wasWritten } from '#lib/table/writes/was-written.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { accountOf, type Job } from '../job.ts';
import { jobFromItem } from '../job-item.ts';
import type { JobLife } from '../life/job-life.ts';
import { identifyJob, lifeFromItem } from '../life/job-life-item.ts';

/** One round of looking after the jobs of one system. */
export interface Sweep {
  readonly table: Table;
  readonly files: JobFiles;
  readonly system: HpcSystem;
  readonly connector: Connector;
  readonly now: Date;
}

/** A job that this sweep has taken up: nobody else touches it until its lease ends. */
export interface TakenJob {
  readonly job: Job;
  readonly life: JobLife;
  readonly leasedUntil: Date;
}

export interface TakeUp {
  readonly taken: readonly TakenJob[];
  /** What kept other jobs from being taken up; they are due again, at the latest after a lease. */
  readonly failures: readonly unknown[];
}

/** For this long nobody else takes up what a sweep has taken up. */
export const leaseSeconds = 60;

/** As many as there are connections: more would wait for one until they time out. */
const parallelWrites = 50;

/** Jobs that are read together; where the table is too busy for them, all of them wait. */
const jobsPerRead = 100;

/**
 * Leases those of the due jobs that nobody else took up first. One that cannot be taken up, or
 * cannot be read then, keeps no other from its turn.
 */
export async function takeUpJobs(
  { table, now }: Pick<Sweep, 'table' | 'now'>,
  due: readonly DueKey[],
): Promise<TakeUp> {
  const leasedUntil = addSeconds(now, leaseSeconds);
  const failures: unknown[] = [];
  const noteFailure = (error: unknown): [] => {
    failures.push(error);
    return [];
  };
  const lives = await mapInParallel(due, parallelWrites, (key) =>
    takeUpLife(table, key, leasedUntil).catch(noteFailure),
  );
  const taken: TakenJob[] = [];
  for (const batch of splitIntoBatches(lives.flat(), jobsPerRead)) {
    const jobs = await readJobsOf(table, batch).catch(noteFailure);
    taken.push(...jobs.map((one) => ({ ...one, leasedUntil })));
  }
  return { taken, failures };
}

interface TakenLife {
  readonly account: AccountKey;
  readonly jobId: JobId;
  readonly life: JobLife;
}

/**
 * None where another sweep was first. The condition is on the very moment that was read: the index
 * lags behind, and two sweeps may read the same entry.
 */
async function takeUpLife(
  table: Table,
  { PK, SK, dueAt }: DueKey,
  leasedUntil: Date,
): Promise<TakenLife[]> {
  const written = await unlessRefused(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: 'SET due_at = :until ADD attempts :one',
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: {
          ':until': leasedUntil.toISOString(),
          ':seen': dueAt,
          ':one': 1,
        },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  if (!written) return [];
  return [{ ...identifyJob(written.Attributes), life: lifeFromItem(written.Attributes) }];
}

async function readJobsOf(table: Table, lives: readonly TakenLife[]) {
  const keys = lives.map(({ account, jobId }) => jobKey(account, jobId));
  const jobs = new Map(
    (await readItems(table, keys)).map(jobFromItem).map((job) => [job.jobId, job]),
  );
  return lives.flatMap(({ jobId, life }) => {
    const job = jobs.get(jobId);
    return job ? [{ job, life }] : [];
  });
}

/**
 * A hand-over may take longer than a lease, and a second one beside it would be a second job: so
 * right before it the lease is extended. Tells whether it was: not where somebody else has taken
 * the job up since, nor where it was cancelled.
 */
export async function extendLease(
  table: Table,
  { job, leasedUntil }: TakenJob,
  until: Date,
): Promise<boolean> {
  return wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET due_at = :until',
        ConditionExpression: 'due_at = :leased AND attribute_not_exists(cancel_pending)',
        ExpressionAttributeValues: {
          ':until': until.toISOString(),
          ':leased': leasedUntil.toISOString(),
        },
      }),
    ),
  );
}
