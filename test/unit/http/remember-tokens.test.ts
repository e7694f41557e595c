import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTokenVerifier, rememberTokens } from '#lib/http/chain/authenticate.ts';
import { InvalidTokenError } from '#lib/http/errors.ts';
import { createIssuer } from '#local/issuer.ts';
import { userId } from '../../fixtures/names.ts';

const caller = { userId: userId('306328'), administrator: false };
const never = Number.MAX_SAFE_INTEGER;

/** A verifier that counts, with a clock that the test sets. */
function openMemory(expiresAt = never) {
  const clock = { now: 1_000_000 };
  const verified: string[] = [];
  const remember = rememberTokens(
    async (token) => {
      verified.push(token);
      if (token.startsWith('bad')) throw new InvalidTokenError();
      return { caller: { ...caller, administrator: token.startsWith('admin') }, expiresAt };
    },
    () => clock.now,
  );
  return { clock, verified, remember };
}

describe('a token that was verified', () => {
  it('is not verified again', async () => {
    const { verified, remember } = openMemory();
    expect(await remember('a')).toEqual(caller);
    expect(await remember('a')).toEqual(caller);
    expect(verified).toEqual(['a']);
  });

  it('names its own caller', async () => {
    const { remember } = openMemory();
    await remember('a');
    expect(await remember('admin')).toEqual({ ...caller, administrator: true });
    expect(await remember('a')).toEqual(caller);
  });

  it.each([
    { after: 59_999, times: 1 },
    { after: 60_000, times: 2 },
  ])('is verified $times times when asked again after $after ms', async ({ after, times }) => {
    const { clock, verified, remember } = openMemory();
    await remember('a');
    clock.now += after;
    await remember('a');
    expect(verified).toHaveLength(times);
  });

  it('is remembered for a minute after it was verified, however often it is seen', async () => {
    const { clock, verified, remember } = openMemory();
    for (let second = 0; second < 60; second += 1) {
      await remember('a');
      clock.now += 1_000;
    }
    await remember('a');
    expect(verified).toHaveLength(2);
  });

  it.each([
    { moment: 'before', at: 1_009_999, times: 1 },
    { moment: 'at', at: 1_010_000, times: 2 },
  ])('is verified $times times when asked again $moment its expiry', async ({ at, times }) => {
    const { clock, verified, remember } = openMemory(1_010_000);
    await remember('a');
    clock.now = at;
    await remember('a');
    expect(verified).toHaveLength(times);
  });

  it('is verified again by a clock that was set back: it may be too early for it now', async () => {
    const { clock, verified, remember } = openMemory();
    await remember('a');
    clock.now -= 1;
    await remember('a');
    expect(verified).toHaveLength(2);
  });

  it('gives way as the oldest when more than a thousand are remembered', async () => {
    const { verified, remember } = openMemory();
    for (let number = 0; number < 1_000; number += 1) await remember(`token ${number}`);
    await remember('token 0');
    expect(verified).toHaveLength(1_000);
    await remember('one more');
    await remember('token 1');
    expect(verified).toHaveLength(1_001);
    await remember('token 0');
    expect(verified.slice(1_000)).toEqual(['one more', 'token 0']);
  });
});

describe('a token that was refused', () => {
  it('is refused by a check of its own each time', async () => {
    const { verified, remember } = openMemory();
    await expect(remember('bad')).rejects.toThrow(InvalidTokenError);
    await expect(remember('bad')).rejects.toThrow(InvalidTokenError);
    expect(verified).toEqual(['bad', 'bad']);
  });

  it('once it has expired is not remembered from before', async () => {
    const clock = { now: 0 };
    const remember = rememberTokens(
      async () => {
        if (clock.now >= 10) throw new InvalidTokenError();
        return { caller, expiresAt: 10 };
      },
      () => clock.now,
    );
    await remember('a');
    clock.now = 10;
    await expect(remember('a')).rejects.toThrow(InvalidTokenError);
    clock.now = 0;
    expect(await remember('a')).toEqual(caller);
  });
});

describe('a real token', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = createIssuer(privateKey);
  const verify = createTokenVerifier({
    ISSUER: 'https://slipway.localhost',
    AUDIENCE: 'slipway',
    JWKS: issuer.jwks,
    USER_CLAIM: 'sub',
    USER_IDS: 'numeric',
    ADMIN_CLAIMS: 'groups',
    ADMIN_VALUE: 'slipway-admin',
  });

  it('with one character of its signature changed is not taken for the remembered one', async () => {
    const token = issuer.issueToken({ user: '306328' });
    expect(await verify(token)).toEqual(caller);
    const signature = token.lastIndexOf('.') + 1;
    for (const place of [signature, signature + 40]) {
      const other = token[place] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
      await expect(verify(changed)).rejects.toThrow(InvalidTokenError);
    }
    expect(await verify(token)).toEqual(caller);
  });
});
