import { describe, expect, it } from 'vitest';
import { foldSearch, foldText, listStarts } from '#lib/users/name-words.ts';
import { cleanName, readPerson } from '#lib/users/person.ts';

describe('the name in a token', () => {
  it.each([
    ['the name', { name: 'Ada Lovelace', preferred_username: 'ada' }, 'Ada Lovelace'],
    ['both parts of it', { given_name: 'Ada', family_name: 'Lovelace' }, 'Ada Lovelace'],
    ['one part of it', { family_name: 'Lovelace', preferred_username: 'ada' }, 'Lovelace'],
    ['the user name', { preferred_username: 'ada' }, 'ada'],
    ['the next one, if one is unfit', { name: '\u202e', preferred_username: 'ada' }, 'ada'],
    ['nothing', { sub: '306328' }, undefined],
    ['no list', { name: ['Ada'] }, undefined],
  ])('is %s', (_, claims, name) => {
    expect(readPerson(claims)).toStrictEqual(name === undefined ? {} : { name });
  });

  it.each([
    ['marks that turn the direction', 'Ada\u202e ecalevoL\u2066', 'Ada ecalevoL'],
    ['control characters', 'Ada\u001b[31m\u0000 Love\u009blace', 'Ada [31m Love lace'],
    ['lines', 'Ada\r\n\tLovelace\u2028', 'Ada Lovelace'],
    ['invisible characters', 'A\u200bd\u00ada\ufeff\u2060', 'Ada'],
    ['towers of accents', `A${'\u0335\u0321\u0322\u0327'.repeat(20)}da`, 'A\u0335\u0335da'],
    ['half characters', 'Ada \ud83d', 'Ada'],
    ['what exceeds 100 characters', `A${'d'.repeat(100_000)}`, `A${'d'.repeat(99)}`],
  ])('loses %s', (_, claim, name) => {
    expect(cleanName(claim)).toBe(name);
  });

  it.each(['306328', '', '  ', '\u3164', '-- ', '\u202e12'])(
    'cannot pass for a number: %j',
    (claim) => {
      expect(cleanName(claim)).toBeUndefined();
    },
  );

  it.each(['Zoë Müller-O’Neil', '山田 太郎', 'محمد', 'J. R. R. Tolkien 3rd'])(
    'may be %s',
    (claim) => {
      expect(cleanName(claim)).toBe(claim);
    },
  );
});

describe('the address in a token', () => {
  it.each([true, 'true'])('counts if the issuer has verified it: %j', (email_verified) => {
    const claims = { email: 'ada@example.org', email_verified };
    expect(readPerson(claims)).toEqual({ email: 'ada@example.org' });
  });

  it.each([
    { email: 'ada@example.org' },
    { email: 'ada@example.org', email_verified: false },
    { email: 'ada', email_verified: true },
    { email: 'ada@\u202eexample.org', email_verified: true },
    { email: `ada@${'x'.repeat(255)}`, email_verified: true },
  ])('is left out otherwise: %j', (claims) => {
    expect(readPerson(claims)).toEqual({});
  });
});

describe('what a user is found by', () => {
  it('is the name from each of its words, and the address', () => {
    expect(listStarts({ name: 'Anna Maria von Berg', email: 'A.Berg@example.org' })).toEqual([
      'anna maria von berg',
      'maria von berg',
      'von berg',
      'berg',
      'a.berg@example.org',
    ]);
    expect(listStarts({})).toEqual([]);
    expect(listStarts({ name: 'a b c d e f g h' })).toHaveLength(5);
  });

  it('has neither case nor accents nor what separates the parts of a key', () => {
    expect(foldText('  MÜLLER-Groß, #Zoë ')).toBe('muller-gross zoe');
    expect(foldSearch(`${'x'.repeat(200)}`)).toBe(listStarts({ name: 'x'.repeat(100) })[0]);
    expect(foldText('#!?')).toBe('');
  });
});
