import { expect, it } from 'vitest';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { keepPerson, openPersonNotes } from '#lib/users/person-store.ts';
import { openUserDirectory } from '#lib/users/user-directory.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { userId } from '#test/fixtures/names.ts';
import { interruptBefore } from '../engines/interrupt.ts';
import { meter } from '../engines/meter.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';

onEveryEngine('the names of users on $name', (engine) => {
  const table = tableForAll(engine);
  const directory = openUserDirectory(table);
  const find = async (text: string, limit = 100) =>
    (await directory.search(text, limit)).map(({ user }) => user);

  const welcome = async (number: string, name: string, email?: string) => {
    const user = userId(number);
    await welcomeUser(table, catalog, user);
    await keepPerson(table, user, { name, email });
    return user;
  };

  it('are found by the beginning of any word, and of the address', async () => {
    const zoe = await welcome('1', 'Zoë von Müller', 'zvm@example.org');
    const other = await welcome('2', 'Max Muller');
    expect(await find('MULL')).toEqual([zoe, other]);
    expect(await find('von mü')).toEqual([zoe]);
    expect(await find('zvm@')).toEqual([zoe]);
    expect(await find('zo', 1)).toEqual([zoe]);
    for (const nobody of ['uller', 'zoe muller', '#', '~']) expect(await find(nobody)).toEqual([]);
  });

  it('are found once, also if several beginnings match', async () => {
    const user = await welcome('3', 'Berta Berg', 'berta@example.org');
    expect(await find('ber')).toEqual([user]);
  });

  it('belong to two users as well as to one', async () => {
    const both = [await welcome('4', 'Eva Gleich'), await welcome('5', 'Eva Gleich')];
    expect(await find('eva gleich')).toEqual(both);
  });

  it('change with what the token says, and nothing of the old one is found', async () => {
    const user = await welcome('6', 'Nina Vorher', 'nina@example.org');
    await keepPerson(table, user, { name: 'Nina Nachher' });
    expect(await directory.find(user)).toMatchObject({
      name: 'Nina Nachher',
      email: 'nina@example.org',
    });
    expect(await find('vorher')).toEqual([]);
    expect(await find('nachher')).toEqual([user]);
    expect(await find('nina@')).toEqual([user]);
  });

  it('are not mixed up by two tokens at once', async () => {
    const user = await welcome('7', 'Otto Eins');
    interruptBefore(table, 'TransactWriteItemsCommand', () =>
      keepPerson(table, user, { name: 'Otto Zwei' }),
    );
    await keepPerson(table, user, { name: 'Otto Drei' });
    expect(await directory.find(user)).toMatchObject({ name: 'Otto Drei' });
    for (const gone of ['eins', 'zwei']) expect(await find(gone)).toEqual([]);
    expect(await find('drei')).toEqual([user]);
  });

  it('are not kept for somebody without a profile', async () => {
    await keepPerson(table, userId('8'), { name: 'Nie Gesehen' });
    expect(await find('nie')).toEqual([]);
  });

  it('cost one read a day, a write only if they are new, and nothing without a name', async () => {
    const user = await welcome('9', 'Olga Vorher');
    const { cost } = meter(table);
    let now = Date.now();
    const note = openPersonNotes(table, () => now);
    const none = { readUnits: 0, writeUnits: 0 };
    const first = await cost(() => note(user, { name: 'Olga Nachher' }));
    expect(first.readUnits).toBe(1);
    expect(first.writeUnits).toBeGreaterThan(0);
    expect(await cost(() => note(user, { name: 'Olga Nachher' }))).toEqual(none);
    expect(await cost(() => note(user, {}))).toEqual(none);
    now += 24 * 60 * 60 * 1000;
    expect(await cost(() => note(user, { name: 'Olga Nachher' }))).toEqual({
      readUnits: 1,
      writeUnits: 0,
    });
  });
});
