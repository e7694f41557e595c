import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObjectNotFoundError, StorageUnavailableError } from '#lib/files/errors.ts';
import { openResultsZip } from '#lib/files/results/results-zip.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import type { OpenedTable } from '#test/engines/open-table-on.ts';
import { buildZip, type ZipEntry } from '#test/fixtures/build-zip.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { craftZip, extraField, unicodePath } from '../zips/craft-zip.ts';

const key = '306328/A-1.zip';
let files = createMemoryFiles();
let reads: { first: number; last: number }[] = [];
let opened: OpenedTable;
beforeEach(async () => {
  files = createMemoryFiles();
  reads = [];
  opened = await openInProcessTable('slipway-results-zip');
});
afterEach(() => opened.close());

/** Opens a source for storage with this zip, and records every read. */
function open(zip?: Uint8Array) {
  if (zip) files.results.objects.set(key, zip);
  const { results } = files;
  const noted: typeof results = {
    ...results,
    read(wanted, range) {
      if (range) reads.push(range);
      return results.read(wanted, range);
    },
  };
  return openResultsZip(
    { table: opened.table, results: noted },
    { owner: userId('306328'), jobId: jobId('A-1'), run: 1 },
  );
}

async function fetchByName(source: ReturnType<typeof open>, name: string) {
  const file = (await source.list()).find((each) => each.name === name);
  return source.fetch(file?.id ?? 'none');
}

const readBytes = () => reads.reduce((sum, { first, last }) => sum + last - first + 1, 0);
const wholeZip = { kind: 'address', address: `https://storage.invalid/${key}` };

/** Returns bytes that do not shrink when packed. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, seed = 1; at < length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = seed >>> 24;
  }
  return bytes;
}

describe('the results of a job', () => {
  it('are empty until it has sent some', async () => {
    expect(await open().list()).toEqual([]);
    await expect(open().fetch('results.zip')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it('are the files of its zip, by name, with ids that are safe in a path', async () => {
    const source = open(
      buildZip([
        { name: 'b.txt', content: 'twelve bytes' },
        { name: 'out/' },
        { name: 'out/é #?.txt', content: 'x', stored: true },
        { name: 'a.txt', content: '' },
      ]),
    );
    const list = await source.list();
    expect(list.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['a.txt', 0],
      ['b.txt', 12],
      ['out/é #?.txt', 1],
    ]);
    for (const { id } of list) expect(id).toMatch(/^[\w-]{22}$/);
    expect(await source.list()).toEqual(list);
  });

  it('keep the names they were packed with, whatever the zip says', async () => {
    const source = open(
      craftZip([
        { name: 'ümläut.txt', flags: 0, content: 'unsaid' },
        { name: 'größe.txt', flags: 0, extra: extraField(0x5455, Buffer.from('12345')) },
        { name: Buffer.from('caf\x82.txt', 'latin1'), flags: 0 },
        { name: 'plain.txt', flags: 0, extra: unicodePath('plain.txt', 'schön.txt') },
      ]),
    );
    const names = (await source.list()).map(({ name }) => name);
    expect(names.sort()).toEqual(['café.txt', 'größe.txt', 'schön.txt', 'ümläut.txt']);
    expect(await fetchByName(source, 'ümläut.txt')).toMatchObject({ bytes: Buffer.from('unsaid') });
  });

  it('use the old code page for names packed elsewhere', async () => {
    const source = open(
      craftZip([
        { name: 'ü.txt', flags: 0, madeOn: 0 },
        { name: 'ö.txt', flags: 0x800, madeOn: 0 },
      ]),
    );
    const names = (await source.list()).map(({ name }) => name);
    expect(names.sort()).toEqual(['ö.txt', '├╝.txt']);
  });

  it('are 10,000 at most', async () => {
    const most = Array.from({ length: 10_000 }, (_, n) => ({ name: `${n}`, stored: true }));
    expect(await open(buildZip(most)).list()).toHaveLength(10_000);
  });

  it.each([true, false])('are returned one by one, stored or deflated: %s', async (stored) => {
    const source = open(buildZip([{ name: 'out/a.txt', content: 'héllo', stored }]));
    expect(await fetchByName(source, 'out/a.txt')).toEqual({
      kind: 'bytes',
      name: 'a.txt',
      bytes: Buffer.from('héllo'),
    });
  });

  it('use the last of several entries with the same name', async () => {
    const twice = [
      { name: 'a', content: 'first' },
      { name: 'a', content: 'second!' },
    ];
    const source = open(buildZip(twice));
    expect(await source.list()).toMatchObject([{ name: 'a', bytes: 7 }]);
    expect(await fetchByName(source, 'a')).toMatchObject({ bytes: Buffer.from('second!') });
  });

  it('return 404 for an unknown id', async () => {
    const source = open(buildZip([{ name: 'a' }]));
    await expect(source.fetch('none')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it('are read from their directory alone, with few calls', async () => {
    const many: ZipEntry[] = Array.from({ length: 2000 }, (_, index) => ({ name: `f${index}` }));
    const source = open(buildZip([{ name: 'large', content: noise(3_000_000) }, ...many]));
    expect(await source.list()).toHaveLength(2001);
    expect(reads.length).toBeLessThanOrEqual(3);
    expect(readBytes()).toBeLessThan(1_000_000);
  });

  it.each([
    { bytes: 4_500_000, kind: 'bytes' },
    { bytes: 4_500_001, kind: 'address' },
  ])('with $bytes bytes are returned as $kind', async ({ bytes, kind }) => {
    const source = open(buildZip([{ name: 'a.bin', content: Buffer.alloc(bytes, 7) }]));
    const file = await fetchByName(source, 'a.bin');
    expect(file.kind).toBe(kind);
    const relayed = [...files.results.objects.keys()].filter((each) => each !== key);
    const { id = '' } = (await source.list())[0] ?? {};
    expect(relayed).toEqual(kind === 'bytes' ? [] : [`relay/306328/A-1/${id}`]);
    if (kind === 'address') {
      // Compares bytes, because comparing objects would take seconds.
      const kept = files.results.objects.get(relayed[0] ?? '') ?? new Uint8Array();
      expect(Buffer.alloc(bytes, 7).equals(kept)).toBe(true);
      expect(file).toEqual({ kind, address: `https://storage.invalid/relay/306328/A-1/${id}` });
    }
  });
});

describe('a zip that lies about its content', () => {
  it.each([
    { what: 'more bytes than are unpacked here', entry: { claimedBytes: 64_000_001 }, steps: 2 },
    { what: 'as many as may be unpacked', entry: { claimedBytes: 64_000_000 }, steps: 4 },
    { what: 'another length than it has', entry: { claimedBytes: 3 }, steps: 4 },
  ])('is returned whole for an entry that claims $what', async ({ entry, steps }) => {
    const ballast = { name: 'b', content: noise(330_000), stored: true };
    const source = open(buildZip([{ name: 'a', content: 'héllo', ...entry }, ballast]));
    expect(await fetchByName(source, 'a')).toEqual(wholeZip);
    // The directory for each call, and the entry with its header only if it may be unpacked.
    expect(reads).toHaveLength(steps);
  });

  it('is returned whole for a damaged entry', async () => {
    const zip = buildZip([{ name: 'a', content: 'unharmed', stored: true }]);
    zip.write('damaged!', zip.indexOf('unharmed'));
    expect(await fetchByName(open(zip), 'a')).toEqual(wholeZip);
  });

  it.each([
    { what: 'no zip', zip: Buffer.from('not a zip at all') },
    { what: 'a path that leads out', zip: buildZip([{ name: '../a' }]) },
    {
      what: 'more entries than are listed',
      zip: buildZip(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, stored: true }))),
    },
  ])('counts as one file: $what', async ({ zip }) => {
    const source = open(zip);
    const whole = { id: 'results.zip', name: 'results.zip', bytes: zip.length };
    expect(await source.list()).toEqual([whole]);
    expect(await source.fetch('results.zip')).toEqual(wholeZip);
    await expect(source.fetch('other')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it.each([new StorageUnavailableError(), new ObjectNotFoundError('a')])(
    'is not blamed for a failing storage: %s',
    async (error) => {
      files.results.objects.set(key, buildZip([{ name: 'a' }]));
      const read = () => Promise.reject(error);
      const places = { table: opened.table, results: { ...files.results, read } };
      const source = openResultsZip(places, {
        owner: userId('306328'),
        jobId: jobId('A-1'),
        run: 1,
      });
      await expect(source.list()).rejects.toBe(error);
      await expect(source.fetch('a')).rejects.toBe(error);
    },
  );
});

describe('results with more files than can be held', () => {
  const names = Array.from(
    { length: 10_500 },
    (_, n) => `out/${n % 3}/${String(n).padStart(5, '0')}`,
  );
  const zip = buildZip([
    ...names.map((name) => ({ name, content: `of ${name}`, stored: true })),
    { name: 'last.txt', content: 'the last one' },
    { name: 'out/0/00000', content: 'again', stored: true },
  ]);

  async function readPages(source: ReturnType<typeof open>, folder?: string) {
    const found: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await source.page({ folder, after, limit: 1000 });
      found.push(...page.files.map(({ name }) => name));
      after = page.next;
      if (after === undefined) return found;
    }
  }

  it('are listed page by page, in the order of their paths', async () => {
    const source = open(zip);
    expect(await readPages(source)).toEqual(['last.txt', ...names.toSorted()]);
    expect(await source.list()).toMatchObject([{ id: 'results.zip' }]);
  });

  it('are listed folder by folder', async () => {
    const source = open(zip);
    expect(await readPages(source, '')).toEqual(['last.txt', 'out/']);
    expect(await readPages(source, 'out/')).toEqual(['out/0/', 'out/1/', 'out/2/']);
    expect(await readPages(source, 'out/1/')).toEqual(
      names.filter((name) => name.startsWith('out/1/')),
    );
    expect(await readPages(source, 'none/')).toEqual([]);
  });

  it('are fetched by the ids of the pages, the last one of a name', async () => {
    const source = open(zip);
    const { files } = await source.page({ folder: 'out/0/', limit: 2 });
    const contents = await Promise.all(files.map(({ id }) => source.fetch(id)));
    expect(contents.map((each) => String('bytes' in each && Buffer.from(each.bytes)))).toEqual([
      'again',
      'of out/0/00003',
    ]);
    await expect(source.fetch('at-5')).rejects.toThrow(RemoteFileNotFoundError);
  });

  it('are the whole zip if its directory is damaged', async () => {
    const broken = Buffer.from(zip);
    broken.writeUInt32LE(0, broken.indexOf('PK\x01\x02', zip.length / 2));
    const page = await open(broken).page({ limit: 10 });
    expect(page.files).toMatchObject([{ id: 'results.zip' }]);
  });
});
