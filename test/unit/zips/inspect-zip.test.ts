import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import { beginsAsZip, inspectStoredZip, inspectZip } from '#lib/zips/inspect-zip.ts';
import { expand } from '#lib/zips/judge-contents.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { emptyZip } from '#test/fixtures/zip.ts';
import {
  type CraftedArchive,
  type CraftedEntry,
  craftZip,
  extraField,
  unicodePath,
} from './craft-zip.ts';

const damaged = 'It is damaged or cut off.';

async function problemsOf(inspection: Promise<void>): Promise<readonly string[]> {
  try {
    await inspection;
    return [];
  } catch (error) {
    if (error instanceof UnsafeZipError) return error.problems;
    throw error;
  }
}

/** Stores a zip and records what is read of it. */
async function store(zip: Buffer) {
  const { inputs } = createMemoryFiles();
  await inputs.put('a.zip', zip);
  const ranges: { first: number; last: number }[] = [];
  const read: ObjectStore['read'] = (key, range) => {
    if (range) ranges.push(range);
    return inputs.read(key, range);
  };
  return { ranges, objects: { ...inputs, read } };
}

/** Returns the problems of bytes at hand, and of the same bytes in storage. */
async function inspectBoth(zip: Buffer) {
  const { objects } = await store(zip);
  return {
    atHand: await problemsOf(inspectZip(zip)),
    stored: await problemsOf(inspectStoredZip(objects, 'a.zip', zip.length)),
  };
}

/** The problem is in the directory, so both ways show it. */
async function expectRefused(zip: Buffer, ...problems: string[]) {
  expect(await inspectBoth(zip)).toEqual({ atHand: problems, stored: problems });
}

const fine: { what: string; entries: CraftedEntry[]; archive?: CraftedArchive }[] = [
  {
    what: 'files and folders',
    entries: [{ name: 'a/', content: '', mode: 0o40755 }, { name: 'a/b.txt' }],
  },
  { what: 'a stored entry', entries: [{ name: 'a.txt', method: 0 }] },
  { what: 'an empty entry', entries: [{ name: 'a.txt', content: '' }] },
  { what: 'no modes', entries: [{ name: 'a.txt', mode: 0 }] },
  { what: 'dots in names', entries: [{ name: '..a/...b/.c' }, { name: 'a..' }] },
  {
    what: 'names of another code page',
    entries: [{ name: Buffer.from('fc62.txt', 'hex'), flags: 0 }],
  },
  { what: 'names in UTF-8', entries: [{ name: 'übung/€.txt' }] },
  { what: 'a name in two codings', entries: [{ name: 'a', extra: unicodePath('a', 'ä') }] },
  { what: 'an empty second name', entries: [{ name: 'a', extra: unicodePath('a', '') }] },
  {
    what: 'another field that looks like a second name',
    entries: [{ name: 'a', extra: extraField(0x5455, Buffer.from('12345../../b')) }],
  },
  { what: 'a comment', entries: [{ name: 'a.txt' }], archive: { comment: 'made by hand' } },
  { what: 'the long form', entries: [{ name: 'a.txt' }], archive: { zip64: true } },
  { what: 'nothing', entries: [] },
  { what: 'text that packs well', entries: [{ name: 'a.txt', content: Buffer.alloc(9_000_000) }] },
];

describe('a zip', () => {
  it.each(fine)('may have $what', async ({ entries, archive }) => {
    await expectRefused(craftZip(entries, archive));
  });

  it('may be empty', async () => {
    await expectRefused(emptyZip);
  });

  it.each([
    { name: '/etc/passwd', problem: 'its path is absolute' },
    { name: 'C:/a', problem: 'its path is absolute' },
    { name: 'c:a', problem: 'its path is absolute' },
    { name: '../a', problem: 'its path leads outside the archive' },
    { name: 'a/../../b', problem: 'its path leads outside the archive' },
    { name: 'a/..', problem: 'its path leads outside the archive' },
    { name: 'a\\b', problem: 'its name contains a backslash; write paths with /' },
    { name: '', problem: 'it has no name' },
  ])('is refused for an entry called $name', async ({ name, problem }) => {
    await expectRefused(craftZip([{ name: 'fine' }, { name }]), `'${name}': ${problem}.`);
  });

  it.each(['\0', '\n', '\x1b', '\x7f', '\u0085'])('is refused for a name with %j', async (mark) => {
    const zip = craftZip([{ name: `a${mark}b` }]);
    await expectRefused(zip, "'a?b': its name contains a control character.");
  });

  it('is refused for a second name behind the first', async () => {
    const zip = craftZip([{ name: 'a', extra: unicodePath('a', '../../b') }]);
    await expectRefused(zip, "'a': its path leads outside the archive.");
  });

  it('is refused for a name that is marked as UTF-8 but is not', async () => {
    const zip = craftZip([{ name: Buffer.from('c0ae2f', 'hex') }]);
    await expectRefused(zip, "'À®/': its name is not valid UTF-8.");
  });

  it('is refused for a second name that is not UTF-8', async () => {
    const zip = craftZip([
      { name: 'a', flags: 0, extra: unicodePath('a', Buffer.from('c0ae2f', 'hex')) },
    ]);
    await expectRefused(zip, "'a': its name is not valid UTF-8.");
  });

  it.each([
    { what: 'link', mode: 0o120777 },
    { what: 'device', mode: 0o020666 },
    { what: 'pipe', mode: 0o010644 },
    { what: 'socket', mode: 0o140755 },
  ])('is refused for a $what', async ({ mode }) => {
    const zip = craftZip([{ name: 'a', content: '/etc/passwd', mode }]);
    await expectRefused(zip, "'a': it is a link or a special file.");
  });

  it('is refused for encryption, of either kind', async () => {
    await expectRefused(craftZip([{ name: 'a', flags: 0x801 }]), "'a': it is encrypted.");
    await expectRefused(
      craftZip([{ name: 'a', flags: 0x841 }]),
      'Some of its entries are encrypted.',
    );
  });

  it('is refused for an unsupported compression', async () => {
    const zip = craftZip([{ name: 'a', method: 12 }]);
    await expectRefused(zip, "'a': it is neither stored nor deflated.");
  });

  it.each(['a/b', 'a//b', './a/b', 'a/./b', 'a/b/'])(
    'is refused for a/b beside %s',
    async (name) => {
      const zip = craftZip([{ name: 'a/b' }, { name }]);
      await expectRefused(zip, `'${name}': the archive contains this name twice.`);
    },
  );

  it('accepts names that differ only in case', async () => {
    await expectRefused(craftZip([{ name: 'a' }, { name: 'A' }]));
  });

  it('is refused for entries that share their bytes', async () => {
    const zip = craftZip([
      { name: 'a', content: 'x'.repeat(50) },
      { name: 'b', offset: 5 },
    ]);
    await expectRefused(zip, "'a': it overlaps what follows it.");
  });

  describe('in which an entry of 41 bytes', () => {
    const first = { name: 'a', content: 'x'.repeat(10), method: 0 };
    const overlap = "'a': it overlaps what follows it.";

    it.each([
      { where: 'ends where the next begins', offset: 41, problems: [] },
      { where: 'shares its last byte with the next', offset: 40, problems: [overlap] },
    ])('$where: $problems', async ({ offset, problems }) => {
      await expectRefused(craftZip([first, { name: 'b', offset }]), ...problems);
    });

    it.each([
      { where: 'ends where the directory begins', offset: 0, problems: [] },
      { where: 'shares its last byte with the directory', offset: 1, problems: [overlap] },
    ])('$where: $problems', async ({ offset, problems }) => {
      await expectRefused(craftZip([{ ...first, offset }]), ...problems);
    });
  });

  it('has at most 10,000 entries', async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => ({
      name: `${index}`,
      content: '',
      method: 0,
    }));
    const most = craftZip(entries);
    const { objects } = await store(most);
    expect(await problemsOf(inspectStoredZip(objects, 'a.zip', most.length))).toEqual([]);
    await expectRefused(
      craftZip([{ name: 'a' }], { count: 10_001 }),
      'It has 10001 entries, but at most 10000 are allowed.',
    );
  });

  it('expands to at most 100 GB', async () => {
    const entry = (name: string, announcedBytes: number) => ({ name, announcedBytes, mode: 0 });
    const many = Array.from({ length: 25 }, (_, n) => entry(`a${n}`, 4e9));
    const sized = [...many, entry('b', 1)];
    const { stored } = await inspectBoth(craftZip(sized));
    expect(stored).toEqual([
      'It expands to 100000000001 bytes, but at most 100000000000 are allowed.',
    ]);
  });

  it('expands to at most 200 times its size above 10 MB', async () => {
    const dense = (bytes: number) => craftZip([{ name: 'a', content: Buffer.alloc(bytes) }]);
    await expectRefused(dense(10_000_000));
    await expectRefused(
      dense(10_000_001),
      'It expands to 10000001 bytes, more than 200 times its own size. ' +
        'Leave out what the job can create itself.',
    );
  });

  it.each([
    { what: 'no end', zip: craftZip([{ name: 'a' }]).subarray(0, -1) },
    { what: 'a beginning alone', zip: Buffer.from('504b0304', 'hex') },
    { what: 'more entries than lines', zip: craftZip([{ name: 'a' }], { count: 2 }) },
    {
      what: 'more lines than entries',
      zip: craftZip([{ name: 'a' }, { name: 'b' }], { count: 1 }),
    },
    { what: 'a wrong size', zip: craftZip([{ name: 'a' }], { directoryBytes: 46 }) },
    { what: 'a wrong place', zip: craftZip([{ name: 'a' }], { directoryOffset: 3 }) },
    {
      what: 'the long form and a wrong size',
      zip: craftZip([{ name: 'a' }], { directoryBytes: 46, zip64: true }),
    },
    {
      what: 'the long form and a gap in it',
      zip: craftZip([{ name: 'a' }], { gap64: Buffer.alloc(9), zip64: true }),
    },
    { what: 'a gap', zip: craftZip([{ name: 'a' }], { gap: Buffer.alloc(80) }) },
    {
      what: 'the long form and a gap',
      zip: craftZip([{ name: 'a' }], { gap: Buffer.alloc(9), zip64: true }),
    },
  ])('is refused with $what', async ({ zip }) => {
    await expectRefused(zip, damaged);
  });

  it('is refused by its first bytes', async () => {
    const behind = Buffer.concat([Buffer.from('#!/bin/sh\n'), craftZip([{ name: 'a' }])]);
    await expectRefused(behind, 'It is not a zip file.');
    expect(beginsAsZip(Buffer.from('504b03', 'hex'))).toBe(false);
  });

  it('is refused with all problems, up to ten', async () => {
    const zip = craftZip([{ name: '/a', flags: 1, mode: 0o120777 }, { name: '../b' }]);
    await expectRefused(
      zip,
      "'/a': its path is absolute.",
      "'/a': it is encrypted.",
      "'/a': it is a link or a special file.",
      "'../b': its path leads outside the archive.",
    );
    const many = craftZip(Array.from({ length: 30 }, (_, index) => ({ name: `/${index}` })));
    expect((await inspectBoth(many)).stored).toHaveLength(10);
  });

  it('cuts long names and shows harmless ones as they are', async () => {
    const zip = craftZip([{ name: `/${'x'.repeat(150)}` }]);
    await expectRefused(zip, `'/${'x'.repeat(99)}…': its path is absolute.`);
    const longest = `/${'x'.repeat(99)}`;
    await expectRefused(craftZip([{ name: longest }]), `'${longest}': its path is absolute.`);
  });
});

describe('the real content of a zip’s entries', () => {
  const packed = deflateRawSync(Buffer.alloc(100));
  it.each<{ what: string; entry: CraftedEntry; problem: string }>([
    {
      what: 'another name',
      entry: { name: 'a', localName: '../b' },
      problem: 'the archive describes it in two different ways',
    },
    {
      what: 'packed in another way',
      entry: { name: 'a', localMethod: 0 },
      problem: 'the archive describes it in two different ways',
    },
    {
      what: 'encrypted',
      entry: { name: 'a', localFlags: 0x801 },
      problem: 'the archive describes it in two different ways',
    },
    {
      what: 'more bytes than announced',
      entry: { name: 'a', packed, announcedBytes: 99 },
      problem: 'it expands to more than the archive says',
    },
    {
      what: 'fewer bytes than announced',
      entry: { name: 'a', packed, announcedBytes: 101 },
      problem: 'its content is damaged',
    },
    {
      what: 'the same bytes as announced, and fewer',
      entry: { name: 'a', packed, checksum: crc32(Buffer.alloc(100)), announcedBytes: 101 },
      problem: 'its content is damaged',
    },
    {
      // Expanded in chunks of 65,536 bytes. The last one ends where the announced bytes do.
      what: 'the same bytes as announced, and more',
      entry: {
        name: 'a',
        packed: deflateRawSync(Buffer.alloc(16 * 65_536 + 1)),
        checksum: crc32(Buffer.alloc(16 * 65_536)),
        announcedBytes: 16 * 65_536,
      },
      problem: 'it expands to more than the archive says',
    },
    {
      what: 'other bytes than announced',
      entry: { name: 'a', checksum: 1 },
      problem: 'its content is damaged',
    },
    {
      what: 'no deflated bytes',
      entry: { name: 'a', packed: Buffer.from('ffffff', 'hex') },
      problem: 'its content is damaged',
    },
    {
      what: 'half of the deflated bytes',
      entry: { name: 'a', content: 'abcdef', packed: deflateRawSync('abcdef').subarray(0, 4) },
      problem: 'its content is damaged',
    },
    {
      what: 'far more bytes than announced',
      entry: {
        name: 'a',
        packed: deflateRawSync(Buffer.alloc(30_000_000)),
        announcedBytes: 2_000_000,
      },
      problem: 'it expands to more than the archive says',
    },
  ])('must not be $what', async ({ entry, problem }) => {
    expect(await problemsOf(inspectZip(craftZip([entry])))).toEqual([`'a': ${problem}.`]);
  });

  it('is not expanded far beyond the announced size', async () => {
    const bomb = deflateRawSync(Buffer.alloc(30_000_000));
    const announced = { compressionMethod: 8, uncompressedSize: 2_000_000 };
    const { bytes } = await expand(bomb, announced);
    expect(bytes).toBeGreaterThan(2_000_000);
    expect(bytes).toBeLessThanOrEqual(2_065_536);
    expect(await expand(bomb, { ...announced, uncompressedSize: 10 })).toMatchObject({ bytes: 11 });
  });
});

describe('a zip in storage', () => {
  it('is inspected from its end', async () => {
    const content = Buffer.alloc(5_000_000, 'no pattern: 0123456789');
    const zip = craftZip([{ name: 'a', content, method: 0 }]);
    const { objects, ranges } = await store(zip);
    await inspectStoredZip(objects, 'a.zip', zip.length);
    const fetched = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    expect(ranges).toHaveLength(2);
    expect(fetched).toBeLessThan(70_000);
  });

  it('is refused if its directory alone is too large', async () => {
    const extra = unicodePath('', 'x'.repeat(60_000));
    const entries = Array.from({ length: 150 }, (_, index) => ({ name: `${index}`, extra }));
    const zip = craftZip(entries);
    const { objects } = await store(zip);
    expect(await problemsOf(inspectStoredZip(objects, 'a.zip', zip.length))).toEqual([
      'Its directory is larger than the 8000000 bytes allowed.',
    ]);
  });

  it('is not blamed for a failing storage', async () => {
    const zip = craftZip([{ name: 'a' }]);
    const { objects } = await store(zip);
    let reads = 0;
    const read: ObjectStore['read'] = async (key, range) => {
      reads += 1;
      if (reads > 1) throw new StorageUnavailableError();
      return objects.read(key, range);
    };
    await expect(inspectStoredZip({ ...objects, read }, 'a.zip', zip.length)).rejects.toThrow(
      StorageUnavailableError,
    );
  });
});
