import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIssuer, openIssuer } from '#local/issuer.ts';
import { makeKey } from '#test/fixtures/jwt.ts';

let directory: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'slipway-')), 'state');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

describe('openIssuer', () => {
  it('creates its key once and reuses it', () => {
    const [first, second] = [openIssuer(directory), openIssuer(directory)];
    expect(second.jwks).toBe(first.jwks);
    expect(second.cursorSecret).toBe(first.cursorSecret);
    expect(second.passSecret).toBe(first.passSecret);
    expect(readdirSync(directory)).toEqual(['issuer-key.pem']);
  });

  it('says what to do about a damaged key, and does not change it', () => {
    openIssuer(directory);
    const file = join(directory, 'issuer-key.pem');
    writeFileSync(file, 'half of a k');
    expect(() => openIssuer(directory)).toThrow(
      `The key that signs tokens, ${file}, is damaged. Put back a copy of it, or delete it: the next start makes a new one, and everybody needs a new token.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('half of a k');
  });

  it('closes a folder and a key that others could read before', () => {
    openIssuer(directory);
    chmodSync(directory, 0o755);
    chmodSync(join(directory, 'issuer-key.pem'), 0o644);
    openIssuer(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'issuer-key.pem')).mode & 0o777).toBe(0o600);
  });

  it('lets nobody else read the key', () => {
    openIssuer(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'issuer-key.pem')).mode & 0o777).toBe(0o600);
  });
});

describe('createIssuer', () => {
  it('shows the public part of its key only', () => {
    const { keys } = JSON.parse(createIssuer(makeKey()).jwks);
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.stringMatching(/^[\w-]{16}$/),
        alg: 'ES256',
        use: 'sig',
      },
    ]);
  });

  it('has secrets and names of its own for every key', () => {
    const [one, two] = [createIssuer(makeKey()), createIssuer(makeKey())];
    expect(one.jwks).not.toBe(two.jwks);
    expect(one.cursorSecret).not.toBe(two.cursorSecret);
    expect(one.cursorSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(one.passSecret).not.toBe(two.passSecret);
    expect(one.passSecret).not.toBe(one.cursorSecret);
    expect(one.passSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(one.storageSecret).not.toBe(two.storageSecret);
    expect([one.passSecret, one.cursorSecret]).not.toContain(one.storageSecret);
  });
});
