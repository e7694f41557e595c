import { describe, expect, it } from 'vitest';
import { IdempotencyKeyInUseError } from '#lib/jobs/errors.ts';
import { claimIdempotencyKey } from '#lib/jobs/submit/idempotency.ts';
import { jobFixture } from '#test/fixtures/jobs.ts';
import { userId } from '#test/fixtures/names.ts';

describe('a key that others keep writing', () => {
  it('is in use, and the log can tell why', () => {
    const cause = new Error('TransactionConflict');
    const { giveUp } = claimIdempotencyKey('a-key', 'a-fingerprint', jobFixture(userId('1'), 1));
    const error = giveUp?.(cause);
    expect(error).toBeInstanceOf(IdempotencyKeyInUseError);
    expect(error?.cause).toBe(cause);
  });
});
