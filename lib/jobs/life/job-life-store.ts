import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, jobLifeKey, lookShard } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';
import { JobNotFoundError } from '../errors.ts';
import { accountOf, type Job } from '../job.ts';
import { putOnce } from '../job-store.ts';
import {
  type CommandTimes,
  type HandOver,
  type JobLife,
  type StageMoment,
  shorten,
} from './job-life.ts';
import { handOversToItem, lifeFromItem, newLifeToItem, stagesToItem } from './job-life-item.ts';

export function beginJobLife(job: Job, login?: string): Step {
  return putOnce(newLifeToItem(job, login));
}

export async function findLife(table: Table, account: AccountKey, jobId: JobId): Promise<JobLife> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: jobLifeKey(account, jobId),
      ConsistentRead: true,
    }),
  );
  if (!Item) throw new JobNotFoundError();
  return lifeFromItem(Item);
}

/** What is known of a living job after a look at it, or a hand-over. */
export interface LifeChange {
  readonly dueAt: Date;
  /** The system has it: from now on it is looked at. */
  readonly handle?: string | undefined;
  readonly runningSince?: Date | undefined;
  readonly unknownSince?: Date | undefined;
  /** The system knows it again, or never ceased to. */
  readonly known?: boolean;
  /** Empty where nothing explains the job any more. */
  readonly reason?: string | undefined;
  readonly stages?: readonly StageMoment[] | undefined;
  /** A hand-over has ended, well or not. */
  readonly handOvers?: readonly HandOver[] | undefined;
}

/** A life that ended meanwhile, by a cancel, stays as it is: it must hear of that, or nothing more. */
export async function saveLife(table: Table, job: Job, change: LifeChange): Promise<void> {
  const values = {
    due_at: change.dueAt.toISOString(),
    due: change.handle && lookShard(accountOf(job), job.id),
    handle: change.handle,
    running_since: change.runningSince?.toISOString(),
    unknown_since: change.unknownSince?.toISOString(),
    reason: change.reason && shorten(change.reason),
    stages: change.stages && stagesToItem(change.stages),
    tries: change.handOvers && handOversToItem(change.handOvers),
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const over = [
    ...(change.known ? ['unknown_since'] : []),
    ...(change.handOvers ? ['trying_since', 'cut_offs'] : []),
  ];
  await wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression:
          `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}` +
          (over.length > 0 ? ` REMOVE ${over.join(', ')}` : ''),
        ConditionExpression: 'attribute_exists(due_at) AND attribute_not_exists(cancel_pending)',
        ExpressionAttributeNames: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          given.map(([name, value]) => [`:${name}`, value]),
        ),
      }),
    ),
  );
}

/** Of a job that lives; one that has ended is settled. */
export async function saveCommandTimes(
  table: Table,
  job: Job,
  { secondsBefore, endedAt }: CommandTimes,
): Promise<void> {
  await wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET command = :times',
        ConditionExpression: 'attribute_exists(due_at) AND attribute_not_exists(cancel_pending)',
        ExpressionAttributeValues: {
          ':times': { seconds_before: secondsBefore, ended_at: endedAt.toISOString() },
        },
      }),
    ),
  );
}

/** The job has not ended on its system yet, or nobody could ask: it is looked at again. */
export async function postponeCancel(table: Table, job: Job, dueAt: Date): Promise<void> {
  await wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET due_at = :at',
        ConditionExpression: 'attribute_exists(cancel_pending)',
        ExpressionAttributeValues: { ':at': dueAt.toISOString() },
      }),
    ),
  );
}

/** The system has heard of the cancel, so nothing is left to do for the job. */
export async function finishCancel(table: Table, job: Job): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: jobLifeKey(accountOf(job), job.jobId),
      UpdateExpression: 'REMOVE #due, due_at, cancel_pending',
      ExpressionAttributeNames: { '#due': 'due' },
    }),
  );
}
