import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { attribute, defineItem, number, text } from '#lib/table/define-item.ts';
import { idempotencyKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { IdempotencyKeyInUseError } from '../errors.ts';
import { type Job, jobFromItem, storedJob } from '../job.ts';

const keptSeconds = 24 * 60 * 60;

const storedKey = defineItem('idempotency-key', {
  fingerprint: text('fingerprint'),
  answer: attribute('answer', v.unknown()),
  expiresAt: number('expires_at'),
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
    Put: {
      Item: {
        ...idempotencyKey(job.owner, key),
        ...storedKey.format({
          fingerprint,
          answer: storedJob.format(job),
          expiresAt: now + keptSeconds,
        }),
      },
      ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': now },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    giveUp: (cause) => new IdempotencyKeyInUseError({ cause }),
    refuse: (stored) => {
      const { fingerprint: first, answer } = storedKey.parse(stored);
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
  const stored = await readItem(table, idempotencyKey(owner, key), storedKey.parse);
  if (!stored) return undefined;
  if (stored.expiresAt * 1000 <= now.getTime()) return undefined;
  if (stored.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  return jobFromItem(stored.answer);
}
