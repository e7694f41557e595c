import { afterEach, describe, expect, it, vi } from 'vitest';
import { describeConsole, readGroupSettings } from '#local/own-issuer.ts';

type Environment = Readonly<Record<string, string>>;

const issuer = {
  ISSUER: 'https://login.example.org/realms/lab',
  AUDIENCE: 'slipway',
  CONSOLE_CLIENT_ID: 'slipway-console',
};

function read(environment: Environment) {
  for (const name of ['ISSUER', 'AUDIENCE', 'PUBLIC_URL', 'USER_CLAIM'])
    vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return readGroupSettings();
}

afterEach(() => vi.unstubAllEnvs());

describe('the settings of a service for a group', () => {
  it('are not needed on a laptop', () => {
    expect(read({})).toEqual({ listen: '127.0.0.1' });
    expect(describeConsole(undefined)).toEqual({
      config: { api: '', signIn: 'laptop' },
      origins: [],
    });
  });

  it('describe the sign-in to the console', () => {
    const { listen, ownIssuer } = read({ ...issuer, USER_CLAIM: 'uid', CONSOLE_SCOPE: 'openid x' });
    expect(listen).toBe('127.0.0.1');
    expect(describeConsole(ownIssuer)).toEqual({
      config: {
        api: '',
        signIn: 'oidc',
        issuer: issuer.ISSUER,
        clientId: 'slipway-console',
        scope: 'openid x',
        audience: 'slipway',
        token: 'access_token',
        claims: {
          user: 'uid',
          admin: ['groups', 'cognito:groups'],
          adminValue: 'slipway-admin',
        },
      },
      origins: ['https://login.example.org'],
    });
  });

  it('let other machines in with an issuer and a public address', () => {
    const wide = { ...issuer, LISTEN: '0.0.0.0', PUBLIC_URL: 'https://slipway.example.org' };
    expect(read(wide)).toMatchObject({ listen: '0.0.0.0' });
  });

  const wrong: [string, Environment, string][] = [
    ['an issuer without an audience', { ...issuer, AUDIENCE: '' }, 'AUDIENCE'],
    ['an issuer alone', { ISSUER: issuer.ISSUER }, 'ISSUER also needs AUDIENCE'],
    ['a client of the command alone', { COMMAND_CLIENT_ID: 'cli' }, 'Set ISSUER too'],
    ['an audience alone', { AUDIENCE: 'slipway' }, 'Set ISSUER too'],
    ['an issuer without TLS', { ...issuer, ISSUER: 'http://login.example.org' }, 'https'],
    ['other machines without an issuer', { LISTEN: '0.0.0.0' }, 'needs an issuer of your own'],
    ['other machines without a name', { ...issuer, LISTEN: '::' }, 'needs PUBLIC_URL'],
    ['a name to listen on', { ...issuer, LISTEN: 'slipway.example.org' }, 'LISTEN'],
    ['an open table', { ...issuer, DYNAMODB_PORT: '8000' }, 'DYNAMODB_PORT opens the table'],
  ];
  it.each(wrong)('refuse %s', (_, environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });
});
