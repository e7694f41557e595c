import { describe, expect, it } from 'vitest';
import { answerOf, callerOf, matchedOf } from '#lib/http/chain/api-context.ts';
import { InvalidTokenError, PathNotFoundError } from '#lib/http/errors.ts';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import { user } from '#test/fixtures/samples.ts';

describe('what the chain found out', () => {
  it('is the caller, the operation and the values of its path, and what answers it', () => {
    const caller = { userId: user, administrator: false };
    const matched = { operation: 'list', path: '/{hpc}/', values: { hpc: 'hpc_one' } };
    const answer = async () => ({ statusCode: 200 });
    const context = { ...lambdaContext, caller, matched, answer };
    expect(callerOf(context)).toBe(caller);
    expect(matchedOf(context)).toBe(matched);
    expect(answerOf(context)).toBe(answer);
  });

  it('fails closed: a chain that forgot to ask refuses everybody', () => {
    expect(() => callerOf(lambdaContext)).toThrow(InvalidTokenError);
    expect(() => matchedOf(lambdaContext)).toThrow(PathNotFoundError);
    expect(() => answerOf(lambdaContext)).toThrow(PathNotFoundError);
  });
});
