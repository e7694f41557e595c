import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { jobKey, jobRequestKey, listDueShards, type PrimaryKey } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Table } from '../table/table.ts';
import { JobNotFoundError } from './errors.ts';
import type { Job, JobLife, JobRequest } from './job.ts';
import { jobFromItem, lifeFromItem, placeOf, requestFromItem } from './job-item.ts';

/** A job that this process has taken up: nobody else touches it until it is due again. */
export interface TakenJob {
  readonly job: Job;
  readonly life: JobLife;
}

export interface DueJob extends PrimaryKey {
  readonly dueAt: string;
}

const DueItem = v.object({ PK: v.string(), SK: v.string(), due_at: v.string() });

/** Jobs of a system that are due, those that wait longest first. */
export async function findDueJobs(
  table: Table,
  hpc: string,
  now: Date,
  limit: number,
): Promise<DueJob[]> {
  const shards = await Promise.all(
    listDueShards(hpc).map(async (shard) => {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'due',
          KeyConditionExpression: '#due = :shard AND due_at <= :now',
          ExpressionAttributeNames: { '#due': 'due' },
          ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
          Limit: limit,
        }),
      );
      return Items.map((item) => parseItem(DueItem, item));
    }),
  );
  return shards.flat().map(({ PK, SK, due_at }) => ({ PK, SK, dueAt: due_at }));
}

/**
 * Takes a job up until `until`, or finds that another process was first. The condition is on the
 * very moment that was read: the index lags behind, and two sweeps may read the same entry.
 */
export async function takeUpJob(
  table: Table,
  { PK, SK, dueAt }: DueJob,
  until: Date,
): Promise<TakenJob | undefined> {
  try {
    const { Attributes } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: 'SET due_at = :until ADD attempts :one',
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: { ':until': until.toISOString(), ':seen': dueAt, ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return { job: jobFromItem(Attributes), life: lifeFromItem(Attributes) };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

export async function readRequest(table: Table, job: Job): Promise<JobRequest> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: jobRequestKey(placeOf(job), job.jobId),
      ConsistentRead: true,
    }),
  );
  if (!Item) throw new JobNotFoundError();
  return requestFromItem(Item);
}

/** What is known of a living job after a look at it, or a try. */
export interface LifeChange {
  readonly dueAt: Date;
  readonly handle?: string;
  readonly stage?: string;
  readonly runningSince?: Date;
  readonly unknownSince?: Date;
  readonly reason?: string;
}

/** A job that ended meanwhile, by a cancel, stays as it is. */
export async function saveLife(table: Table, job: Job, change: LifeChange): Promise<void> {
  const values = {
    due_at: change.dueAt.toISOString(),
    handle: change.handle,
    stage: change.stage,
    running_since: change.runningSince?.toISOString(),
    unknown_since: change.unknownSince?.toISOString(),
    reason: change.reason,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobKey(placeOf(job), job.jobId),
        UpdateExpression: `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ConditionExpression: 'terminal = :living',
        ExpressionAttributeNames: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':living': false,
          ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** The system has heard of a cancel, so nothing is left to do for the job. */
export async function leaveJob(table: Table, job: Job): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: jobKey(placeOf(job), job.jobId),
      UpdateExpression: 'REMOVE #due, due_at, cancel_pending',
      ExpressionAttributeNames: { '#due': 'due' },
    }),
  );
}
