import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { explainRefusal, type Issuer, refreshTokens } from '#client/src/sign-in/issuer.ts';
import type { OidcConfig } from '#console/serving/console-config.ts';
import { keepTokens } from '#console/src/sign-in/keep-tokens.ts';
import { beginSignIn, readTokens, redeemCode, writeAddress } from '#console/src/sign-in/oidc.ts';
import { readClaims } from '#console/src/sign-in/sign-in.ts';

const config: OidcConfig = {
  api: '',
  signIn: 'oidc',
  issuer: 'https://sso.example.org/realms/hpc',
  clientId: 'console',
  scope: 'openid profile',
  audience: 'slipway',
  token: 'access_token',
  claims: { user: 'uid', admin: ['roles', 'groups'], adminValue: 'hpc-admin' },
};

/** Leaves for an issuer that describes itself so; returns what was kept here, and what was sent. */
async function begin(change: object = {}) {
  const stored = new Map<string, string>();
  const assign = vi.fn<(address: string) => void>();
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, text: string) => stored.set(key, text),
  });
  vi.stubGlobal('location', { origin: 'https://c.org', pathname: '/console/', search: '', assign });
  vi.stubGlobal('fetch', async () =>
    Response.json({
      issuer: config.issuer,
      authorization_endpoint: 'https://sso.example.org/auth',
      ...change,
    }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  await beginSignIn(config, false);
  const sent = new URL(assign.mock.calls[0]?.[0] ?? '').searchParams;
  const kept = JSON.parse(stored.get(`slipway-sign-in-${sent.get('state')}`) ?? '');
  return { sent, kept };
}

describe('the way to the issuer', () => {
  const asked = { state: 's', nonce: 'n', challenge: 'c', silent: false, origin: 'https://c.org' };
  const write = (change = {}) =>
    Object.fromEntries(
      new URL(writeAddress('https://sso.example.org/auth?x=1', config, { ...asked, ...change }))
        .searchParams,
    );

  it('asks for a code, with a PKCE challenge', () => {
    expect(write()).toEqual({
      x: '1',
      response_type: 'code',
      client_id: 'console',
      redirect_uri: 'https://c.org/console/',
      scope: 'openid profile',
      audience: 'slipway',
      state: 's',
      nonce: 'n',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    });
  });

  it('does not prompt if it is silent', () => {
    expect(write({ silent: true })).toMatchObject({ prompt: 'none' });
  });

  it('has a new verifier each time, which fits its challenge', async () => {
    const first = await begin();
    const second = await begin();
    expect(first.kept.verifier).toMatch(/^[\w-]{43}$/);
    expect(first.kept.verifier).not.toBe(second.kept.verifier);
    expect(first.sent.get('state')).not.toBe(second.sent.get('state'));
    expect(first.sent.get('nonce')).toBe(first.kept.nonce);
    const expected = createHash('sha256').update(first.kept.verifier).digest('base64url');
    expect(first.sent.get('code_challenge')).toBe(expected);
  });

  it.each([
    { issuer: 'https://other.example.org' },
    { authorization_endpoint: 'http://sso.example.org/auth' },
    { authorization_endpoint: undefined },
  ])('is not taken if the issuer describes itself as %j', async (change) => {
    await expect(begin(change)).rejects.toThrow();
  });
});

const issuer: Issuer = {
  server: { issuer: config.issuer, token_endpoint: 'https://sso.example.org/token' },
  client: { client_id: config.clientId },
};

const attempt = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };

const claims = {
  iss: config.issuer,
  aud: 'console',
  sub: '1',
  iat: 1,
  exp: 9_999_999_999,
  nonce: 'n',
};

const tokenOf = (content: object) =>
  [{ alg: 'RS256' }, content, 'signature']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

interface Manner {
  readonly answer?: string;
  readonly status?: number;
  readonly server?: object;
  /** Filled with what is sent. */
  readonly asked?: [string, RequestInit][];
}

/** Redeems the code of an answer at an issuer that then sends these tokens. */
async function redeem(sent: object, manner: Manner = {}) {
  const { answer = 'code=c&state=s', status = 200, server = {}, asked = [] } = manner;
  vi.stubGlobal('location', { origin: 'https://c.org' });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push([address, init]);
    return Response.json({ access_token: 'A', token_type: 'Bearer', ...sent }, { status });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const known = { ...issuer, server: { ...issuer.server, ...server } };
  const granted = await redeemCode(known, new URLSearchParams(answer), attempt).catch((error) => {
    throw new Error(explainRefusal(error));
  });
  return { granted, asked };
}

describe('the code that the issuer leads back with', () => {
  it('is redeemed with the verifier, at that address only', async () => {
    const { granted, asked } = await redeem({ id_token: tokenOf(claims), refresh_token: 'R' });
    expect(granted).toMatchObject({ access_token: 'A', refresh_token: 'R' });
    const [[address, init] = []] = asked;
    expect(address).toBe('https://sso.example.org/token');
    expect(init).toMatchObject({ method: 'POST', redirect: 'error' });
    expect(Object.fromEntries(new URLSearchParams(`${init?.body}`))).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      code_verifier: attempt.verifier,
      redirect_uri: 'https://c.org/console/',
      client_id: 'console',
    });
  });

  it.each([
    ['of another state', { answer: 'code=c&state=other' }],
    ['of another issuer', { answer: 'code=c&state=s&iss=https://other.example.org' }],
    ['with an ID token in the address', { answer: 'code=c&state=s&id_token=x' }],
    ['without a code', { answer: 'state=s' }],
    [
      'for an address that is not encrypted',
      { server: { token_endpoint: 'http://sso.example.org/' } },
    ],
  ])('is not sent anywhere when it is %s', async (_, manner) => {
    const asked: [string, RequestInit][] = [];
    await expect(redeem({}, { ...manner, asked })).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it('is refused in the words of the issuer', async () => {
    const refusal = { error: 'invalid_grant', error_description: 'Too late.' };
    await expect(redeem(refusal, { status: 400 })).rejects.toThrow('Too late.');
  });
});

describe('an ID token', () => {
  it.each([
    { nonce: 'other' },
    { nonce: undefined },
    { nonce: 1 },
    { aud: 'other' },
    { iss: 'https://other.example.org' },
    { exp: 1_000 },
    { sub: undefined },
  ])('is refused if it is not for this attempt: %j', async (change) => {
    const sent = { id_token: tokenOf({ ...claims, ...change }) };
    await expect(redeem(sent)).rejects.toThrow(/not for this sign-in|cannot be used/);
  });

  it('is required', async () => {
    await expect(redeem({})).rejects.toThrow('The issuer sent no ID token.');
  });

  it.each(['nonsense', 'a.b.c', 'e30.e30.'])(
    'is refused if it cannot be read: %s',
    async (text) => {
      await expect(redeem({ id_token: text })).rejects.toThrow('cannot be used');
    },
  );
});

describe('what the issuer answers', () => {
  const answer = { access_token: 'A', id_token: 'I', token_type: 'bearer' } as const;

  it('has the token that the service takes', () => {
    expect(readTokens({ ...answer, expires_in: 60 }, 'access_token', 1000)).toEqual({
      token: 'A',
      endsAt: 61_000,
    });
    expect(readTokens(answer, 'id_token', 1000).token).toBe('I');
  });

  it('is used for five minutes if it does not say how long', () => {
    expect(readTokens(answer, 'access_token', 0).endsAt).toBe(300_000);
  });

  it('is refused without that token', () => {
    const { id_token: _, ...without } = answer;
    expect(() => readTokens(without, 'id_token', 0)).toThrow('The issuer sent no id_token.');
  });
});

describe('a refresh token', () => {
  it('is kept if the issuer sends no new one', async () => {
    for (const [sent, expected] of [
      [{}, 'R1'],
      [{ refresh_token: 'R2' }, 'R2'],
    ] as const) {
      vi.stubGlobal('fetch', async () =>
        Response.json({ access_token: 'A', token_type: 'Bearer', ...sent }),
      );
      onTestFinished(() => void vi.unstubAllGlobals());
      expect(await refreshTokens(issuer, 'R1')).toMatchObject({ refresh_token: expected });
    }
  });
});

describe('tokens', () => {
  it('are renewed before they expire, once for all callers', async () => {
    let now = 0;
    let renewals = 0;
    const token = keepTokens(
      { token: 'first', endsAt: 100_000 },
      async () => {
        renewals += 1;
        return { token: `renewed ${renewals}`, endsAt: now + 100_000 };
      },
      () => now,
    );
    now = 39_999;
    expect(await token()).toBe('first');
    now = 40_000;
    expect(await Promise.all([token(), token(), token()])).toEqual(Array(3).fill('renewed 1'));
    now = 79_999;
    expect(await token()).toBe('renewed 1');
    expect(renewals).toBe(1);
  });

  it('are renewed again after a failed renewal', async () => {
    const outcomes = [Promise.reject(new Error('away')), { token: 'second', endsAt: 1e9 }];
    const token = keepTokens(
      { token: 'first', endsAt: 0 },
      async () => outcomes.shift() ?? { token: '', endsAt: 0 },
      () => 0,
    );
    await expect(token()).rejects.toThrow('away');
    expect(await token()).toBe('second');
  });
});

describe('the claims of a token', () => {
  it('name the user', () => {
    const token = tokenOf({ uid: '306328', sub: 'Zoë', nonce: 'n' });
    expect(readClaims(token, config.claims)).toEqual({
      user: '306328',
      administrator: false,
    });
    expect(readClaims(token, { ...config.claims, user: 'sub' }).user).toBe('Zoë');
  });

  it.each([
    [{ roles: ['hpc-admin'] }, true],
    [{ groups: 'hpc-admin' }, true],
    [{ groups: ['other'] }, false],
    [{ other: ['hpc-admin'] }, false],
  ])('of %j make an administrator: %s', (claims, administrator) => {
    expect(readClaims(tokenOf(claims), config.claims).administrator).toBe(administrator);
  });

  it('name nobody if the token is not valid', () => {
    expect(readClaims('nonsense', config.claims)).toEqual({ user: '', administrator: false });
  });
});
