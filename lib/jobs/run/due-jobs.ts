import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId, SystemName } from '#lib/catalog/identifiers.ts';
import { type AccountKey, jobKey, jobLifeKey, listDueShards } from '#lib/table/keys.ts';
import { type DueKey, findDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused, wasWritten } from '#lib/table/writes/was-written.ts';
import { accountOf, type Job } from '../job.ts';
import { jobFromItem } from '../job-item.ts';
import type { JobLife } from '../life/job-life.ts';
import { lifeFromItem, ownerOfLife } from '../life/job-life-item.ts';

/** A job that this process has taken up: nobody else touches it until it is due again. */
export interface TakenJob {
  readonly job: Job;
  readonly life: JobLife;
  readonly until: Date;
}

/** The lives of jobs of a system that are due. */
export function findDueJobs(
  table: Table,
  hpc: SystemName,
  now: Date,
  limitOfShard: number,
): Promise<DueKey[]> {
  return findDue(table, listDueShards(hpc), now, limitOfShard);
}

/** As many as there are connections: more would wait for one until they time out. */
const parallelWrites = 50;

/** Of several due jobs those that nobody else took up first, until `until`. */
export async function takeUpJobs(
  table: Table,
  due: readonly DueKey[],
  until: Date,
): Promise<TakenJob[]> {
  const lives: TakenLife[] = [];
  for (let start = 0; start < due.length; start += parallelWrites) {
    const some = due.slice(start, start + parallelWrites);
    const taken = await Promise.all(some.map((job) => takeUpLife(table, job, until)));
    lives.push(...taken.filter((one) => one !== undefined));
  }
  const jobs = await readJobsOf(table, lives);
  return lives.flatMap(({ jobId, life }) => {
    const job = jobs.get(jobId);
    return job ? [{ job, life, until }] : [];
  });
}

interface TakenLife {
  readonly account: AccountKey;
  readonly jobId: JobId;
  readonly life: JobLife;
}

/**
 * The condition is on the very moment that was read: the index lags behind, and two sweeps may
 * read the same entry.
 */
async function takeUpLife(
  table: Table,
  { PK, SK, dueAt }: DueKey,
  until: Date,
): Promise<TakenLife | undefined> {
  const written = await unlessRefused(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: 'SET due_at = :until ADD attempts :one',
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: { ':until': until.toISOString(), ':seen': dueAt, ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written && { ...ownerOfLife(written.Attributes), life: lifeFromItem(written.Attributes) };
}

/**
 * A hand-over may take longer than a job is taken up for, and a second one beside it would be a
 * second job: so right before it the job is kept for longer, if it still is ours and was not
 * cancelled meanwhile.
 */
export async function keepJob(
  table: Table,
  { job, until }: TakenJob,
  longer: Date,
): Promise<boolean> {
  return wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET due_at = :longer',
        ConditionExpression: 'due_at = :until AND attribute_not_exists(cancel_pending)',
        ExpressionAttributeValues: {
          ':longer': longer.toISOString(),
          ':until': until.toISOString(),
        },
      }),
    ),
  );
}

/** One request carries this many keys. */
const batchSize = 100;

/** What a request leaves out under load is left to the next sweep, when the lease has ended. */
async function readJobsOf(
  table: Table,
  lives: readonly TakenLife[],
): Promise<ReadonlyMap<string, Job>> {
  const jobs = new Map<string, Job>();
  for (let start = 0; start < lives.length; start += batchSize) {
    const { Responses = {} } = await table.client.send(
      new BatchGetCommand({
        RequestItems: {
          [table.name]: {
            Keys: lives
              .slice(start, start + batchSize)
              .map(({ account, jobId }) => jobKey(account, jobId)),
            ConsistentRead: true,
          },
        },
      }),
    );
    for (const item of Responses[table.name] ?? []) {
      const job = jobFromItem(item);
      jobs.set(job.jobId, job);
    }
  }
  return jobs;
}
