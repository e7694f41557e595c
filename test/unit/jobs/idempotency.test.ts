import { describe, expect, it } from 'vitest';
import { IdempotencyKeyInUseError } from '#lib/jobs/errors.ts';
import { claimIdempotencyKey } from '#lib/jobs/submit/idempotency.ts';
import { userId } from '#test/fixtures/names.ts';

describe('a key that others keep writing', () => {
  it('is in use, and the log can tell why', () => {
    const cause = new Error('TransactionConflict');
    const at = new Date();
    const request = { owner: userId('1'), key: 'a-key', fingerprint: 'a-fingerprint', at };
    const { giveUp } = claimIdempotencyKey(request, {});
    const error = giveUp?.(cause);
    expect(error).toBeInstanceOf(IdempotencyKeyInUseError);
    expect(error?.cause).toBe(cause);
  });
});
