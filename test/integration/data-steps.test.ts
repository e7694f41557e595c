import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import { writeChange } from '#lib/table/change.ts';
import { type DataStep, dataSteps, type StoredItem } from '#lib/table/data-steps.ts';
import { dataStepsKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { createRewriter } from '#lib/table/rewrite-items.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { letRewrite } from '#lib/table/table-use.ts';
import { checkSteps, NewerDataError, takeSteps } from '#lib/table/taken-steps.ts';
import { changeItem, putItem, updateIf } from '#lib/table/writes.ts';
import { startService } from '#local/start-service.ts';
import { storages } from '../engines/storages.ts';
import { tableForEach } from '../engines/use-table.ts';

const refusal =
  'The data was written by a later release, and this one would damage it. It does not know step 99 (9.9.0: something new). ' +
  'Run that release, or restore a backup from before the update (docs/updating.md).';

function writeSteps(table: Table, steps: readonly object[]) {
  const set = { type: 'data_steps', schema_version: 1, steps };
  return changeItem(table, dataStepsKey(), { set });
}

const planted = [...dataSteps, { number: 99, since: '9.9.0', brings: 'something new' }];
const readSteps = (table: Table) => readItem(table, dataStepsKey(), ({ steps }) => steps);

describe('the steps of the data', () => {
  const table = tableForEach();

  it('have numbers that are never used again', () => {
    expect(dataSteps.map(({ number }) => number)).toEqual(dataSteps.map((_, place) => place + 1));
  });

  it('are recorded in data that has none yet, or only earlier ones', async () => {
    await checkSteps(table);
    expect(await readSteps(table)).toBeUndefined();
    await takeSteps(table);
    expect(await readSteps(table)).toEqual(dataSteps);
    await writeSteps(table, dataSteps.slice(0, 1));
    await takeSteps(table);
    expect(await readSteps(table)).toEqual(dataSteps);
  });

  it('are refused in words if one of them is of a later release, and stay', async () => {
    await writeSteps(table, planted);
    for (const use of [checkSteps, takeSteps]) {
      await expect(use(table)).rejects.toThrow(NewerDataError);
      await expect(use(table)).rejects.toThrow(refusal);
    }
    expect(await readSteps(table)).toEqual(planted);
  });
});

const inMemory = storages.find(({ name }) => name.includes('in memory'))!;

describe('the laptop edition', () => {
  it('does not start on data of a later release, however often it is tried', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
    const start = () =>
      startService({ port: 0, dataDirectory: join(folder, 'data'), stateDirectory: folder });
    try {
      const first = await start();
      const table = openTable('slipway', { endpoint: first.dynamoDbEndpoint });
      expect(await readSteps(table)).toEqual(dataSteps);
      await writeSteps(table, planted);
      table.client.destroy();
      await first.close();
      await expect(start()).rejects.toThrow(refusal);
      // The refused start has closed what it opened, and nobody finds its files any more.
      await expect(start()).rejects.toThrow(refusal);
      const { settings, close } = await inMemory.start(folder);
      const store = openObjectStore('slipway-inputs', settings);
      await store.put('1/a.zip', Buffer.from('a'));
      const address = await store.addressToRead('1/a.zip', { expiresInSeconds: 60 });
      expect((await fetch(address)).status).toBe(200);
      await close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a step that rewrites items', () => {
  const table = tableForEach();
  beforeEach(async () => {
    await Promise.all(
      Array.from({ length: notes }, (_, place) =>
        putItem(table, { Item: { ...keyOf(place), ...inText(`note ${place}`) } }),
      ),
    );
  });

  const notes = 350;
  const keyOf = (place: number) => ({ PK: `NOTE#${place % 40}`, SK: `NOTE#${place}` });
  const inText = (text: string) => ({ type: 'note', schema_version: 1, text, read_by: 0 });
  const step: DataStep = {
    number: 3,
    since: '9.9.0',
    brings: 'words of notes',
    rewrites: {
      type: 'note',
      in: ['usage'],
      up: ({ text, ...item }) => ({ ...item, words: String(text).split(' ') }),
    },
  };
  const steps = [...dataSteps, step];
  const ahead = [...dataSteps, { ...step, isAhead: true as const }];
  const readNotes = () =>
    Promise.all(
      Array.from({ length: notes }, (_, place) => readItem(table, keyOf(place), (item) => item)),
    );
  const always = { isOver: () => false };
  /** Time for so many pages. */
  const timeFor = (pages: number) => {
    let count = 0;
    return {
      isOver: () => {
        count += 1;
        return count > pages;
      },
    };
  };
  const countRewritten = async () =>
    (await readNotes()).filter((note) => note?.schema_version === 2).length;

  it('continues where the process before it was ended', async () => {
    await takeSteps(table);
    await createRewriter(table, steps)(timeFor(1));
    const first = await countRewritten();
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(notes);
    await createRewriter(table, steps)(timeFor(1));
    expect(await countRewritten()).toBeGreaterThan(first);
    await createRewriter(table, steps)(always);
    expect(await readNotes()).toEqual(
      Array.from({ length: notes }, (_, place) => ({
        ...keyOf(place),
        type: 'note',
        schema_version: 2,
        words: ['note', String(place)],
        read_by: 0,
      })),
    );
    // A new item of the old version is left alone: everything was rewritten once.
    await putItem(table, { Item: { ...keyOf(0), ...inText('old') } });
    await createRewriter(table, steps)(always);
    expect(await countRewritten()).toBe(notes - 1);
    expect(await readSteps(table)).toEqual(dataSteps);
  });

  it('begins again if another step came while it was not complete', async () => {
    await createRewriter(table, steps)(timeFor(1));
    const signed: DataStep = {
      number: 4,
      since: '9.9.1',
      brings: 'signatures of notes',
      rewrites: { type: 'note', in: ['usage'], up: (item) => ({ ...item, signed: false }) },
    };
    // A step that is ahead is not written yet.
    await createRewriter(table, [...steps, { ...signed, isAhead: true }])(timeFor(1));
    expect((await readNotes()).filter((note) => note && 'signed' in note)).toEqual([]);
    await createRewriter(table, [...steps, signed])(always);
    expect((await readNotes()).filter((note) => note?.schema_version !== 3)).toEqual([]);
  });

  it('changes nothing in the release before, which can only read it', async () => {
    await createRewriter(table, ahead)(always);
    expect(await countRewritten()).toBe(0);
    await createRewriter(table, steps)(always);
    expect(await countRewritten()).toBe(notes);
  });

  it('loses no change that others make meanwhile', async () => {
    const edits = new Map<unknown, Promise<boolean>>();
    /** Sends an edit after the item was read, and before it is written. */
    const edit = ({ PK, SK, text }: StoredItem) => {
      const change = { set: { text: `edited ${text}` }, expect: { schema_version: 1 } };
      const Key = { PK: String(PK), SK: String(SK) };
      return updateIf(table, { Key, ...writeChange(change) });
    };
    const up = (item: StoredItem): StoredItem => {
      if (!edits.has(item.SK)) edits.set(item.SK, edit(item));
      const { text, ...rest } = item;
      return { ...rest, words: String(text).split(' ') };
    };
    const meeting = { ...step, rewrites: { type: 'note', in: [], up } };
    await createRewriter(table, [...dataSteps, meeting])(always);
    const done = await Promise.all(
      Array.from({ length: notes }, (_, place) => edits.get(keyOf(place).SK)),
    );
    expect(done.filter((isEdited) => isEdited).length).toBeGreaterThan(notes / 2);
    expect((await readNotes()).map((note) => [note?.schema_version, note?.words])).toEqual(
      done.map((isEdited, place) => [2, [...(isEdited ? ['edited'] : []), 'note', String(place)]]),
    );
  });

  it('needs more of its role than other releases do', () => {
    const use = { actions: ['Query'], partitions: ['due'] } as const;
    expect(letRewrite(use, dataSteps)).toBe(use);
    expect(letRewrite(use, ahead)).toBe(use);
    expect(letRewrite(use, steps)).toEqual({
      actions: ['Query', 'Scan', 'UpdateItem'],
      partitions: ['due', 'usage'],
    });
  });
});
