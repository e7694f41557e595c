import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';
import { JobNotFoundError } from './errors.ts';
import { accountOf, type Job, jobFromItem, jobToItem } from './job.ts';

export async function findJob(table: Table, account: AccountKey, jobId: JobId): Promise<Job> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: jobKey(account, jobId), ConsistentRead: true }),
  );
  if (!Item) throw new JobNotFoundError();
  return jobFromItem(Item);
}

/** Returns false if the job has ended. An ended job keeps its stage. */
export async function saveStage(table: Table, job: Job, stage: string): Promise<boolean> {
  return wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: jobKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET stage = :stage',
        ConditionExpression: 'terminal = :living',
        ExpressionAttributeValues: { ':living': false, ':stage': stage },
      }),
    ),
  );
}

export function createJob(job: Job): Step {
  return putOnce(jobToItem(job));
}

/**
 * Puts one of a job's items unless it exists. Job ids are random, but a collision must not
 * overwrite a job, and the condition costs nothing.
 */
export function putOnce(Item: Readonly<Record<string, unknown>>): Step {
  return {
    write: (tableName) => ({
      Put: { TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(PK)' },
    }),
    refuse: () => new Error('A job with this identifier already exists.'),
  };
}
