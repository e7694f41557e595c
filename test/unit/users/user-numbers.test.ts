import { describe, expect, it, vi } from 'vitest';
import { nameBySubject } from '#lib/http/chain/authenticate.ts';
import { countOf, makeUserId } from '#lib/users/identity.ts';
import { rememberUsers } from '#lib/users/user-numbers.ts';
import { userId } from '#test/fixtures/names.ts';

const given = makeUserId(1);

describe('a subject', () => {
  const find = vi.fn(async () => given);
  const nameUser = nameBySubject(find);

  it.each(['alice@example.org', 'f7c2#1', ' ', '7 ', 'ſ'.repeat(255), '1'.repeat(33), '007'])(
    'gets a number if it is not one itself: %j',
    async (subject) => {
      expect(await nameUser(subject)).toBe(given);
      expect(find).toHaveBeenLastCalledWith(subject);
    },
  );

  it.each(['7', '0', '1'.repeat(32), '8999999999999999'])(
    'that is a number stands for itself, without a lookup: %j',
    (subject) => {
      find.mockClear();
      expect(nameUser(subject)).toBe(subject);
      expect(find).not.toHaveBeenCalled();
    },
  );

  it.each([given, makeUserId(999_999), '9000000000000000', '09000000000000001'])(
    'cannot choose an assigned number: %j',
    async (subject) => {
      find.mockClear();
      await nameUser(subject);
      expect(find).toHaveBeenCalledWith(subject);
    },
  );

  it.each(['', 'x'.repeat(256), '\ud800', 7, null, undefined, ['alice']])(
    'of another form names nobody, without a lookup: %j',
    (claim) => {
      find.mockClear();
      expect(() => nameUser(claim)).toThrow('1 to 255 characters');
      expect(find).not.toHaveBeenCalled();
    },
  );
});

describe('an assigned number', () => {
  it('has 16 digits and is exact', () => {
    expect(given).toBe('9000000000000001');
    expect(() => makeUserId(1_000_000_000_000_000)).toThrow();
    expect([makeUserId(12), userId('12')].map(countOf)).toEqual([12, 0]);
  });
});

describe('the numbers that a container remembers', () => {
  it('are looked up once, even by simultaneous calls', async () => {
    const find = vi.fn(async (subject: string) => userId(String(subject.length)));
    const remembered = rememberUsers(find);
    expect(await Promise.all([remembered('a'), remembered('a'), remembered('bb')])).toEqual([
      '1',
      '1',
      '2',
    ]);
    await remembered('a');
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('do not include failures', async () => {
    const find = vi.fn(async () => given).mockRejectedValueOnce(new Error('no table'));
    const remembered = rememberUsers(find);
    await expect(remembered('a')).rejects.toThrow('no table');
    expect(await remembered('a')).toBe(given);
  });

  it('are limited, and the oldest goes first', async () => {
    const find = vi.fn(async () => given);
    const remembered = rememberUsers(find, 2);
    for (const subject of ['a', 'b', 'c', 'c', 'b', 'a']) await remembered(subject);
    expect(find.mock.calls).toEqual([['a'], ['b'], ['c'], ['a']]);
  });
});
