import { describe, expect, it } from 'vitest';
import { callerOf, matchedOf } from '#lib/http/chain/api-context.ts';
import { InvalidTokenError, PathNotFoundError } from '#lib/http/errors.ts';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import { user } from '#test/fixtures/samples.ts';

describe('what the chain found out', () => {
  it('is the caller, the operation and the values of its path', () => {
    const caller = { userId: user, administrator: false };
    const matched = { operation: 'list', values: { hpc: 'hpc_one' } };
    const context = { ...lambdaContext, caller, matched };
    expect(callerOf(context)).toBe(caller);
    expect(matchedOf(context)).toBe(matched);
  });

  it('fails closed: a chain that forgot to ask refuses everybody', () => {
    expect(() => callerOf(lambdaContext)).toThrow(InvalidTokenError);
    expect(() => matchedOf(lambdaContext)).toThrow(PathNotFoundError);
  });
});
