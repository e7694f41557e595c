import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { idempotencyKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { IdempotencyKeyInUseError } from '../errors.ts';
import { type Job, jobFromItem, storedJob } from '../job.ts';

const keptSeconds = 24 * 60 * 60;

const IdempotencyItem = v.object({
  type: v.literal('idempotency-key'),
  schema_version: v.literal(1),
  fingerprint: v.string(),
  answer: v.unknown(),
  expires_at: v.number(),
});

/** Thrown to leave the transaction. The key already has a job, which is the answer. */
export class AlreadySubmittedError extends Error {
  readonly job: Job;
  constructor(job: Job) {
    super('This request was already answered.');
    this.job = job;
  }
}

/**
 * Writes the key in the job's own transaction, so neither ever exists without the other. The
 * condition checks the time, because DynamoDB deletes expired items days late.
 */
export function claimIdempotencyKey(key: string, fingerprint: string, job: Job): Step {
  const now = Math.floor(job.submittedAt.getTime() / 1000);
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: {
          ...idempotencyKey(job.owner, key),
          type: 'idempotency-key',
          schema_version: 1,
          fingerprint,
          answer: storedJob.format(job),
          expires_at: now + keptSeconds,
        },
        ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
        ExpressionAttributeValues: { ':now': now },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    }),
    giveUp: (cause) => new IdempotencyKeyInUseError({ cause }),
    refuse: (stored) => {
      const { fingerprint: first, answer } = parseItem(IdempotencyItem, stored);
      if (first !== fingerprint) return new IdempotencyKeyReusedError();
      return new AlreadySubmittedError(jobFromItem(answer));
    },
  };
}

/** Finds the answer to an earlier request with this key, for a repeat that would be refused now. */
export async function findAnswer(
  table: Table,
  owner: UserId,
  key: string,
  fingerprint: string,
  now: Date,
): Promise<Job | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: idempotencyKey(owner, key),
      ConsistentRead: true,
    }),
  );
  if (!Item) return undefined;
  const { fingerprint: first, answer, expires_at: end } = parseItem(IdempotencyItem, Item);
  if (end * 1000 <= now.getTime()) return undefined;
  if (first !== fingerprint) throw new IdempotencyKeyReusedError();
  return jobFromItem(answer);
}
