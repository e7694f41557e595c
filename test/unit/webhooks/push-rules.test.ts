import { afterEach, describe, expect, it, vi } from 'vitest';
import { readPushRules } from '#lib/config.ts';

afterEach(() => vi.unstubAllEnvs());

describe('WEBHOOKS_TO_LOOPBACK', () => {
  it.each([
    { setting: undefined, toLoopback: false },
    { setting: 'false', toLoopback: false },
    { setting: 'true', toLoopback: true },
  ])('is $toLoopback where it is set to $setting', ({ setting, toLoopback }) => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', setting);
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', undefined);
    expect(readPushRules()).toEqual({ toLoopback });
  });

  it('does nothing on Lambda', () => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', 'true');
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'slipway-deliver-webhooks');
    expect(readPushRules()).toEqual({ toLoopback: false });
  });

  it.each(['yes', '1', 'TRUE', ''])('is not taken where it is set to %j', (setting) => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', setting);
    expect(() => readPushRules()).toThrow('WEBHOOKS_TO_LOOPBACK');
  });
});
