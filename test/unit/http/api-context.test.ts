import { describe, expect, it } from 'vitest';
import { callerOf, pathValuesOf } from '#lib/http/chain/api-context.ts';
import { InvalidTokenError, PathNotFoundError } from '#lib/http/errors.ts';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import { user } from '#test/fixtures/samples.ts';

describe('what the chain found out', () => {
  it('is the caller and the values of the path', () => {
    const caller = { userId: user, administrator: false };
    const context = { ...lambdaContext, caller, pathValues: { hpc: 'hpc_one' } };
    expect(callerOf(context)).toBe(caller);
    expect(pathValuesOf(context)).toEqual({ hpc: 'hpc_one' });
  });

  it('fails closed: a chain that forgot to ask refuses everybody', () => {
    expect(() => callerOf(lambdaContext)).toThrow(InvalidTokenError);
    expect(() => pathValuesOf(lambdaContext)).toThrow(PathNotFoundError);
  });
});
