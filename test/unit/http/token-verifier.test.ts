import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IdentitySettings } from '#lib/config.ts';
import { createTokenVerifier, type TokenVerifier } from '#lib/http/chain/authenticate.ts';
import { IdentityProviderUnavailableError, InvalidTokenError } from '#lib/http/errors.ts';
import { createIssuer } from '#local/issuer.ts';
import { audience, issuer as issuerName } from '#local/names.ts';
import { type Claims, makeKey, signEs256 } from '#test/fixtures/jwt.ts';
import { user } from '#test/fixtures/samples.ts';
import { goodClaims, tokenAttacks } from '#test/fixtures/token-attacks.ts';

const issuer = createIssuer(makeKey());

const settings: IdentitySettings = {
  ISSUER: issuerName,
  AUDIENCE: audience,
  JWKS: issuer.jwks,
  USER_CLAIM: 'sub',
  USER_IDS: 'numeric',
  ADMIN_CLAIMS: 'groups,cognito:groups',
  ADMIN_VALUE: 'slipway-admin',
};

/** A verifier of its own for every token: none knows keys or tokens of another test. */
const verify: TokenVerifier = (text) => createTokenVerifier(settings)(text);
const now = 1_800_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 });
});
afterEach(() => vi.useRealTimers());

/** A good token with some claims changed. */
function token(changes: Claims = {}): string {
  return issuer.signToken({ ...goodClaims(), ...changes });
}

describe('a token', () => {
  it('names its caller', async () => {
    expect(await verify(token())).toEqual({ userId: user, administrator: false });
  });

  it('of the local issuer names its caller', async () => {
    const plain = issuer.issueToken({ user: '7' });
    expect(await verify(plain)).toEqual({ userId: '7', administrator: false });
    const admin = issuer.issueToken({ user: '8', administrator: true });
    expect(await verify(admin)).toEqual({ userId: '8', administrator: true });
  });

  it('may name several audiences', async () => {
    expect((await verify(token({ aud: ['another', audience] }))).userId).toBe(user);
  });

  it.each(tokenAttacks(issuer))('is refused: $name', async ({ makeToken }) => {
    await expect(verify(makeToken())).rejects.toThrow(InvalidTokenError);
  });

  it.each([['b64'], ['urn:example:unknown'], []])(
    'is refused with extensions that must be understood: %j',
    async (...crit) => {
      const key = makeKey();
      const { jwks } = createIssuer(key);
      const { kid } = JSON.parse(jwks).keys[0];
      const sign = (header: object) => signEs256(key, { kid, ...header }, goodClaims());
      const check = createTokenVerifier({ ...settings, JWKS: jwks });
      expect((await check(sign({}))).userId).toBe(user);
      await expect(check(sign({ crit }))).rejects.toThrow(InvalidTokenError);
    },
  );

  it.each(['', '.', '..', 'a.b', 'a.b.c.d', `${'x'.repeat(9000)}.y.z`])(
    'is not %j',
    async (text) => {
      await expect(verify(text)).rejects.toThrow(InvalidTokenError);
    },
  );

  it('is refused in the same words whatever was wrong, with the reason as the cause', async () => {
    const errors = await Promise.all(
      tokenAttacks(issuer).map(({ makeToken }) =>
        verify(makeToken()).catch((error: Error) => error),
      ),
    );
    const messages = errors.map((error) => (error instanceof Error ? error.message : 'accepted'));
    expect(new Set(messages)).toEqual(
      new Set(['A valid access token is required: Authorization: Bearer <ACCESS_TOKEN>.']),
    );
    for (const error of errors) expect(error).toHaveProperty('cause', expect.any(Error));
  });
});

describe('the time of a token', () => {
  it.each([
    { what: 'that has just not ended', changes: { exp: now + 1 } },
    { what: 'that ended just within the grace', changes: { exp: now - 10 } },
    { what: 'that begins now', changes: { nbf: now } },
    { what: 'that begins just within the grace', changes: { nbf: now + 10 } },
  ])('is right for one $what', async ({ changes }) => {
    expect((await verify(token(changes))).userId).toBe(user);
  });

  it.each([
    { what: 'that ended just beyond the grace', changes: { exp: now - 11 } },
    { what: 'that ended long ago', changes: { exp: 0 } },
    { what: 'that begins just beyond the grace', changes: { nbf: now + 11 } },
    { what: 'whose end is text', changes: { exp: String(now + 60) } },
    { what: 'whose end is nothing', changes: { exp: null } },
    { what: 'whose begin is text', changes: { nbf: String(now) } },
  ])('is wrong for one $what', async ({ changes }) => {
    await expect(verify(token(changes))).rejects.toThrow(InvalidTokenError);
  });
});

describe('the user of a token', () => {
  it.each(['0', '306328', '9'.repeat(32)])('may be %s', async (sub) => {
    expect((await verify(token({ sub }))).userId).toBe(sub);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '1.0',
    '1e5',
    '0x1',
    '٣',
    '１',
    '1\n',
    'alice',
    '9'.repeat(33),
    '07199',
    '00',
  ])('may not be %j', async (sub) => {
    await expect(verify(token({ sub }))).rejects.toThrow(InvalidTokenError);
  });

  it.each([1, null, true, ['1'], { id: '1' }])('may not be %j', async (sub) => {
    await expect(verify(token({ sub }))).rejects.toThrow(InvalidTokenError);
  });

  it('comes from the claim that is configured', async () => {
    const configured = createTokenVerifier({ ...settings, USER_CLAIM: 'custom:uid' });
    const both = token({ sub: 'alice', 'custom:uid': '42' });
    expect((await configured(both)).userId).toBe('42');
    await expect(configured(token())).rejects.toThrow(InvalidTokenError);
    for (const uid of [42, ['42'], { toString: '42' }, null, '']) {
      const other = configured(token({ 'custom:uid': uid }));
      await expect(other).rejects.toThrow(InvalidTokenError);
    }
  });
});

describe('an administrator', () => {
  it.each([
    { groups: ['slipway-admin'] },
    { groups: ['users', 'slipway-admin'] },
    { groups: 'slipway-admin' },
    { 'cognito:groups': ['slipway-admin'] },
    { 'cognito:groups': 'slipway-admin' },
    { groups: [], 'cognito:groups': ['slipway-admin'] },
  ])('is who has %j', async (claims) => {
    expect((await verify(token(claims))).administrator).toBe(true);
  });

  it.each([
    {},
    { groups: [] },
    { groups: ['admin'] },
    { groups: ['Slipway-Admin'] },
    { groups: ['slipway-admins'] },
    { groups: 'not-slipway-admin' },
    { groups: { 'slipway-admin': true } },
    { groups: [['slipway-admin']] },
    { groups: null },
    { roles: ['slipway-admin'] },
    { 'slipway-admin': true },
    { scope: 'slipway-admin' },
  ])('is not who has %j', async (claims) => {
    expect((await verify(token(claims))).administrator).toBe(false);
  });

  it('is whom the configuration says', async () => {
    const configured = createTokenVerifier({
      ...settings,
      ADMIN_CLAIMS: 'roles, realm_roles',
      ADMIN_VALUE: 'boss',
    });
    const isAdministrator = async (claims: Claims) =>
      (await configured(token(claims))).administrator;
    expect(await isAdministrator({ roles: ['boss'] })).toBe(true);
    expect(await isAdministrator({ realm_roles: 'boss' })).toBe(true);
    expect(await isAdministrator({ groups: ['boss'] })).toBe(false);
    expect(await isAdministrator({ roles: ['slipway-admin'] })).toBe(false);
  });
});

describe('the groups of a caller', () => {
  it.each([
    { claims: { groups: ['lab-42', 'users'] }, groups: ['lab-42', 'users'] },
    { claims: { groups: 'lab-42' }, groups: ['lab-42'] },
    { claims: { groups: ['a'], 'cognito:groups': ['a', 'b'] }, groups: ['a', 'b'] },
    { claims: { groups: ['slipway-admin', 'lab-42'] }, groups: ['lab-42'] },
    { claims: { groups: ['lab-42', 42, null, ['nested']] }, groups: ['lab-42'] },
    { claims: {}, groups: undefined },
    { claims: { groups: [] }, groups: undefined },
    { claims: { groups: { 'lab-42': true } }, groups: undefined },
    { claims: { roles: ['lab-42'] }, groups: undefined },
  ])('are those of $claims', async ({ claims, groups }) => {
    expect((await verify(token(claims))).groups).toEqual(groups);
  });
});

describe('an issuer', () => {
  it('may have several keys', async () => {
    const second = createIssuer(makeKey());
    const keys = [issuer, second].flatMap(({ jwks }) => JSON.parse(jwks).keys);
    const both = createTokenVerifier({ ...settings, JWKS: JSON.stringify({ keys }) });
    expect((await both(token())).userId).toBe(user);
    expect((await both(second.signToken(goodClaims()))).userId).toBe(user);
  });

  it('is not believed for a key that it does not show', async () => {
    const unknown = signEs256(makeKey(), { kid: 'unknown' }, goodClaims());
    const missing = signEs256(makeKey(), {}, goodClaims());
    for (const bad of [unknown, missing]) {
      await expect(verify(bad)).rejects.toThrow(InvalidTokenError);
    }
    expect((await verify(token())).userId).toBe(user);
  });

  it('that refuses connections makes no token wrong: nobody can tell', async () => {
    const { JWKS: _, ...others } = settings;
    const JWKS_URI = 'https://127.0.0.1:1/jwks.json';
    const unreachable = createTokenVerifier({ ...others, JWKS_URI });
    const error = await unreachable(token()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IdentityProviderUnavailableError);
    expect(error).toHaveProperty('cause.message', expect.stringContaining(JWKS_URI));
  });

  it('is asked for its keys below its own name where no other address is configured', async () => {
    const { JWKS: _, ...others } = settings;
    const ISSUER = 'https://127.0.0.1:1/issuer';
    const unreachable = createTokenVerifier({ ...others, ISSUER });
    const error = await unreachable(token({ iss: ISSUER })).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IdentityProviderUnavailableError);
    const address = `${ISSUER}/.well-known/jwks.json`;
    expect(error).toHaveProperty('cause.message', expect.stringContaining(address));
  });

  it('that answers something else than keys makes no token wrong either', async () => {
    const broken = createTokenVerifier({ ...settings, JWKS: '<html>503</html>' });
    await expect(broken(token())).rejects.toThrow(IdentityProviderUnavailableError);
  });
});
