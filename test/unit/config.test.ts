import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CallerEnvironment,
  IdentityEnvironment,
  PagingEnvironment,
  readEnvironment,
  SimulatorEnvironment,
  TableEnvironment,
} from '#lib/config.ts';

const names = [
  ...Object.keys(TableEnvironment.entries),
  ...Object.keys(IdentityEnvironment.entries),
  ...Object.keys(CallerEnvironment.entries),
  ...Object.keys(PagingEnvironment.entries),
  ...Object.keys(SimulatorEnvironment.entries),
];

beforeEach(() => {
  for (const name of names) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe('readEnvironment', () => {
  it('reads what is there, with the defaults of what is not', () => {
    vi.stubEnv('ISSUER', 'https://issuer.test');
    vi.stubEnv('AUDIENCE', 'slipway');
    expect(readEnvironment(IdentityEnvironment)).toEqual({
      ISSUER: 'https://issuer.test',
      AUDIENCE: 'slipway',
      USER_CLAIM: 'sub',
      USER_IDS: 'numeric',
      ADMIN_CLAIMS: 'groups,cognito:groups',
      ADMIN_VALUE: 'slipway-admin',
    });
  });

  it.each([
    ['CALLER_RATE', '0'],
    ['CALLER_RATE', '1.5'],
    ['CALLER_RATE', 'many'],
    ['CALLER_RATE', '10001'],
    ['CALLER_BURST', '100001'],
  ])('does not limit callers by nonsense: %s=%s', (name, value) => {
    vi.stubEnv(name, value);
    expect(() => readEnvironment(CallerEnvironment)).toThrow(name);
  });

  it('reads nothing that it was not asked for', () => {
    vi.stubEnv('TABLE_NAME', 'slipway');
    expect(readEnvironment(TableEnvironment)).toEqual({ TABLE_NAME: 'slipway' });
  });

  it('lists everything that is missing, at once', () => {
    expect(() => readEnvironment(IdentityEnvironment)).toThrow(
      'Missing or invalid environment variables: ISSUER, AUDIENCE',
    );
    vi.stubEnv('ISSUER', 'https://issuer.test');
    expect(() => readEnvironment(IdentityEnvironment)).toThrow(
      'Missing or invalid environment variables: AUDIENCE',
    );
    expect(() => readEnvironment(TableEnvironment)).toThrow('TABLE_NAME');
  });

  it('takes an empty variable for a missing one', () => {
    vi.stubEnv('TABLE_NAME', '');
    expect(() => readEnvironment(TableEnvironment)).toThrow('TABLE_NAME');
  });

  it('does not show the values of what is wrong', () => {
    vi.stubEnv('CURSOR_SECRET', 'SECRET');
    const Strict = v.object({ CURSOR_SECRET: v.pipe(v.string(), v.minLength(100)) });
    expect(() => readEnvironment(Strict)).toThrow(
      /^Missing or invalid environment variables: CURSOR_SECRET$/,
    );
  });

  it('reads what is wrong with simulated systems, and says how to write it', () => {
    expect(readEnvironment(SimulatorEnvironment).SIM_FAULTS).toEqual(new Map());
    vi.stubEnv('SIM_FAULTS', 'hpc_two:slow');
    expect(readEnvironment(SimulatorEnvironment).SIM_FAULTS).toEqual(
      new Map([['hpc_two', { kind: 'slow', ms: 2000 }]]),
    );
    vi.stubEnv('SIM_FAULTS', 'hpc_two:sluggish');
    expect(() => readEnvironment(SimulatorEnvironment)).toThrow(
      "SIM_FAULTS: 'hpc_two:sluggish' is not valid. Write <system>:<fault>",
    );
  });
});
