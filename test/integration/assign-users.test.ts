import { describe, expect, it } from 'vitest';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { UserNotFoundError } from '#lib/users/errors.ts';
import { openUserDirectory } from '#lib/users/user-directory.ts';
import { assignUser } from '#lib/users/user-numbers.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { userId } from '#test/fixtures/names.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { tableForAll } from '../engines/use-table.ts';

const issuer = 'https://sso.example.org';

const table = tableForAll();

describe('a subject', () => {
  it('has one number, however many containers see it first', async () => {
    const alice = { issuer, subject: 'alice' };
    const numbers = await Promise.all(Array.from({ length: 20 }, () => assignUser(table, alice)));
    expect(new Set(numbers).size).toBe(1);
    expect(numbers[0]).toMatch(/^9[0-9]{15}$/);
    expect(await assignUser(table, alice)).toBe(numbers[0]);
  });

  it('keeps the number that another call assigned between reading and writing', async () => {
    const eve = { issuer, subject: 'eve' };
    let first: string | undefined;
    interruptBefore(table, 'TransactWriteItemsCommand', async () => {
      first = await assignUser(table, eve);
    });
    expect(await assignUser(table, eve)).toBe(first);
  });

  it('differs from the same one of another issuer, wherever the two are split', async () => {
    const numbers = [
      await assignUser(table, { issuer, subject: 'bob' }),
      await assignUser(table, { issuer: 'https://other.example.org', subject: 'bob' }),
      await assignUser(table, { issuer: `${issuer}","`, subject: 'bob' }),
      await assignUser(table, { issuer, subject: '","bob' }),
    ];
    expect(new Set(numbers).size).toBe(4);
  });
});

describe('the users that administrators see', () => {
  it('have their subjects, and are found by them', async () => {
    const directory = openUserDirectory(table, issuer);
    const carol = await assignUser(table, { issuer, subject: 'carol#1' });
    expect(await directory.findBySubject('carol#1')).toEqual([]);
    for (const user of [carol, userId('7')]) await welcomeUser(table, catalog, user);
    expect(await directory.findBySubject('carol#1')).toMatchObject([
      { user: carol, subject: 'carol#1' },
    ]);
    expect(await directory.findBySubject('nobody')).toEqual([]);
    expect(await directory.find(carol)).toMatchObject({ user: carol, subject: 'carol#1' });
    const { entries: users } = await directory.list(10);
    expect(users).toMatchObject([
      { user: '7', subject: null },
      { user: carol, subject: 'carol#1' },
    ]);
    await expect(directory.find(userId('8'))).rejects.toThrow(UserNotFoundError);
  });

  it('are not looked up if the numbers are the issuer’s own', async () => {
    const directory = openUserDirectory(table);
    expect(await directory.find(userId('7'))).not.toHaveProperty('subject');
  });
});
