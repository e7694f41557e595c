import { describe, expect, it } from 'vitest';
import { loginInClaim } from '#lib/users/logins/login.ts';

const name = 'preferred_username';
const ofMail = { name, pattern: '([a-z0-9.]+)@example\\.org' };

describe('the login in a claim', () => {
  it.each([
    { claim: 'ada' },
    { claim: 'ada.lovelace' },
    { claim: '_ada-1' },
    { claim: 'a'.repeat(32) },
  ])('is the whole claim without a pattern: $claim', ({ claim }) => {
    expect(loginInClaim({ name }, claim)).toBe(claim);
  });

  it('is the first group of the pattern, or all that matches', () => {
    expect(loginInClaim(ofMail, 'ada.lovelace@example.org')).toBe('ada.lovelace');
    expect(loginInClaim({ name, pattern: '[a-z]{3}' }, 'ada')).toBe('ada');
    expect(loginInClaim({ name, pattern: '(?:uid=)?([a-z]+)' }, 'uid=ada')).toBe('ada');
  });

  it.each([
    'ada@example.org.evil.test',
    'x ada@example.org',
    'ada@exampleXorg',
    'ada@example.org\n',
    '\nada@example.org',
    'ADA@example.org',
    '@example.org',
    'root@example.org',
    'slurm@example.org',
    '.ada@example.org',
    `${'a'.repeat(33)}@example.org`,
  ])('is not in %j, because the whole must match and be a name', (claim) => {
    expect(loginInClaim(ofMail, claim)).toBeUndefined();
  });

  it.each(['root', 'nobody', 'munge', 'Ada', 'ada/..', '../ada', 'ada ', 'a\nb', '', '-ada', '.'])(
    'is not %j',
    (claim) => {
      expect(loginInClaim({ name }, claim)).toBeUndefined();
    },
  );

  it('is not looked for in a claim that is longer than any name', () => {
    const pattern = '([a-z]+) *';
    expect(loginInClaim({ name, pattern }, `ada${' '.repeat(125)}`)).toBe('ada');
    expect(loginInClaim({ name, pattern }, `ada${' '.repeat(126)}`)).toBeUndefined();
  });
});
