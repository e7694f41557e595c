import { describe, expect, it } from 'vitest';
import type { Entry, ZipFile } from 'yauzl';
import { listEntries } from '#lib/zips/list-entries.ts';

const entry = (change: Partial<Entry> = {}): Partial<Entry> => ({
  fileNameRaw: Buffer.from('a'),
  fileNameLength: 1,
  extraFields: [],
  ...change,
});

/** A zip with these entries. Reading on after them fails. */
function zipOf(entries: readonly Partial<Entry>[], entryCount = entries.length): ZipFile {
  const zip = {
    entryCount,
    async *eachEntry() {
      yield* entries;
      if (entryCount > entries.length) throw new Error('Somebody reads on.');
    },
  };
  return zip as unknown as ZipFile;
}

const extraFields = (count: number) =>
  Array.from({ length: count }, () => ({ id: 1, data: Buffer.alloc(0) }));

describe('the entries of a zip', () => {
  it('are listed', async () => {
    const entries = [
      entry({ fileNameLength: 4096, extraFields: extraFields(20) }),
      ...Array.from({ length: 1200 }, () => entry()),
    ];
    expect(await listEntries(zipOf(entries))).toEqual(entries);
  });

  it.each([
    ['too many of them', [], 10_001, 'It has 10001 entries, but at most 10000 are allowed.'],
    [
      'a name that is too long',
      [entry(), entry({ fileNameLength: 4097 })],
      9,
      "'a': its name is longer than 4096 bytes.",
    ],
    [
      'too many extra fields',
      [entry({ extraFields: extraFields(21) })],
      9,
      "'a': it has more than 20 extra fields.",
    ],
  ])('are not read beyond %s', async (_, entries, count, message) => {
    await expect(listEntries(zipOf(entries, count))).rejects.toThrow(message);
  });

  it('let others be answered in between', async () => {
    let others = 0;
    const count = () => {
      others += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    await listEntries(zipOf(Array.from({ length: 10_000 }, () => entry())));
    clearImmediate(turn);
    expect(others).toBeGreaterThanOrEqual(20);
  });
});
