import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { type Attributes, attribute, defineItem, number, text } from '#lib/table/define-item.ts';
import { idempotencyKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { IdempotencyKeyInUseError } from '../errors.ts';

const keptSeconds = 24 * 60 * 60;

const storedKey = defineItem('idempotency-key', () => ({
  fingerprint: text('fingerprint'),
  answer: attribute('answer', v.unknown()),
  expiresAt: number('expires_at'),
}));

/** Thrown to leave the transaction. The key already has an answer: a job or a batch, as stored. */
export class AlreadySubmittedError extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('This request was already answered.');
    this.answer = answer;
  }
}

/** A request with an Idempotency-Key: who sent it when, and what it means. */
export interface KeyedRequest {
  readonly owner: UserId;
  readonly key: string;
  readonly fingerprint: string;
  readonly at: Date;
}

/**
 * Writes the key in the transaction that accepts the job or batch, so neither ever exists without
 * the other. The condition checks the time, because DynamoDB deletes expired items days late.
 */
export function claimIdempotencyKey(request: KeyedRequest, answer: Attributes): Step {
  const { owner, key, fingerprint, at } = request;
  const now = Math.floor(at.getTime() / 1000);
  return {
    Put: {
      Item: {
        ...idempotencyKey(owner, key),
        ...storedKey.format({ fingerprint, answer, expiresAt: now + keptSeconds }),
      },
      ConditionExpression: 'attribute_not_exists(PK) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': now },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    giveUp: (cause) => new IdempotencyKeyInUseError({ cause }),
    refuse: (stored) => {
      const kept = storedKey.parse(stored);
      if (kept.fingerprint !== fingerprint) return new IdempotencyKeyReusedError();
      return new AlreadySubmittedError(kept.answer);
    },
  };
}

/**
 * Finds the answer to an earlier request with this key, as it was stored, for a repeat that would be
 * refused now.
 */
export async function findAnswer(
  table: Table,
  { owner, key, fingerprint, at }: KeyedRequest,
): Promise<unknown> {
  const kept = await readItem(table, idempotencyKey(owner, key), storedKey.parse);
  if (!kept || kept.expiresAt * 1000 <= at.getTime()) return undefined;
  if (kept.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  return kept.answer;
}
