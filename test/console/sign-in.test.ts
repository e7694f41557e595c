import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OidcConfig } from '#console/serving/console-config.ts';
import { readTokens, refuseForeign } from '#console/src/sign-in/oidc/ask-for-tokens.ts';
import { createProofKey } from '#console/src/sign-in/oidc/proof-key.ts';
import { writeAddress } from '#console/src/sign-in/oidc/write-address.ts';
import { keepTokens } from '#console/src/sign-in/tokens/keep-tokens.ts';
import { readClaims } from '#console/src/sign-in/tokens/read-claims.ts';

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

describe('the way to the issuer', () => {
  const asked = { state: 's', nonce: 'n', challenge: 'c', silent: false, origin: 'https://c.org' };
  const write = (change = {}) =>
    Object.fromEntries(
      new URL(writeAddress('https://sso.example.org/auth?x=1', config, { ...asked, ...change }))
        .searchParams,
    );

  it('asks for a code, with the proof of who asked', () => {
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

  it('shows nothing where it is silent', () => {
    expect(write({ silent: true })).toMatchObject({ prompt: 'none' });
  });

  it('has a proof that fits its challenge, and another each time', async () => {
    const first = await createProofKey();
    const second = await createProofKey();
    expect(first.verifier).toMatch(/^[\w-]{43}$/);
    expect(first.verifier).not.toBe(second.verifier);
    const expected = createHash('sha256').update(first.verifier).digest('base64url');
    expect(first.challenge).toBe(expected);
  });
});

describe('what the issuer answers', () => {
  it('is the token that the service takes', () => {
    const answer = { access_token: 'A', id_token: 'I', refresh_token: 'R2', expires_in: 60 };
    expect(readTokens(answer, 'access_token', 'R1', 1000)).toEqual({
      token: 'A',
      idToken: 'I',
      refreshToken: 'R2',
      endsAt: 61_000,
    });
    expect(readTokens(answer, 'id_token', 'R1', 1000).token).toBe('I');
  });

  it('means the old refresh token where it has no new one', () => {
    expect(readTokens({ access_token: 'A' }, 'access_token', 'R1', 0)).toMatchObject({
      refreshToken: 'R1',
      endsAt: 300_000,
    });
  });

  it('is of no use without that token', () => {
    expect(() => readTokens({ access_token: 'A' }, 'id_token', undefined, 0)).toThrow(
      'The issuer sent no id_token.',
    );
  });
});

describe('an ID token', () => {
  const tokenOf = (claims: object) =>
    `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

  it('shows that the answer belongs to this attempt', () => {
    expect(() => refuseForeign({ idToken: tokenOf({ nonce: 'n' }) }, 'n')).not.toThrow();
  });

  it.each([{ nonce: 'other' }, {}, { nonce: 1 }])('of another attempt is refused: %j', (claims) => {
    expect(() => refuseForeign({ idToken: tokenOf(claims) }, 'n')).toThrow(
      'The issuer answered somebody else.',
    );
  });

  it.each([undefined, 'nonsense'])('is needed: %j', (idToken) => {
    expect(() => refuseForeign({ idToken }, 'n')).toThrow(/no ID token|somebody else/);
  });
});

describe('tokens', () => {
  it('are renewed before they end, once for all that ask', async () => {
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

  it('are asked for again after a renewal that failed', async () => {
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
  const tokenOf = (claims: object) =>
    `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

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

  it('are nobody where it is no token', () => {
    expect(readClaims('nonsense', config.claims)).toEqual({ user: '', administrator: false });
  });
});
