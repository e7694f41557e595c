import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOfConsole, isSameKey, openSignInKey } from '#local/credentials/sign-in-key.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'slipway-')), 'state');
  file = join(directory, 'key');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

describe('the key to sign in with', () => {
  it('is random, and kept between starts', () => {
    const key = openSignInKey(directory);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(openSignInKey(directory)).toBe(key);
    expect(readFileSync(file, 'utf8')).toBe(`${key}\n`);
    rmSync(file);
    expect(openSignInKey(directory)).not.toBe(key);
  });

  it('is readable only by its owner, even if others could read it before', () => {
    const key = openSignInKey(directory);
    expect([statSync(directory).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    chmodSync(directory, 0o755);
    chmodSync(file, 0o644);
    expect(openSignInKey(directory)).toBe(key);
    expect([statSync(directory).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it.each(['', '\n', 'short\n', `${'k'.repeat(43)}`])('is refused if it is damaged: %j', (text) => {
    openSignInKey(directory);
    writeFileSync(file, text);
    expect(() => openSignInKey(directory)).toThrow(
      `The key to sign in with, ${file}, is damaged. Delete it: the next start makes a new one.`,
    );
  });

  it('is compared as a whole', () => {
    expect(isSameKey('abc', 'abc')).toBe(true);
    expect(isSameKey('abc', 'ab')).toBe(false);
    expect(isSameKey('abc', '')).toBe(false);
  });

  it('is in the part of the address that browsers do not send', () => {
    const address = new URL(addressOfConsole('http://localhost:3000', 'abc'));
    expect([address.pathname, address.search, address.hash]).toEqual(['/console/', '', '#key=abc']);
  });
});
