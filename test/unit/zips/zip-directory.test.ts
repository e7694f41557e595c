import { describe, expect, it } from 'vitest';
import {
  isPlainDirectory,
  judgeDirectory,
  placeOfEndRecord,
  type ZipEntry,
} from '#lib/zips/zip-directory.ts';

/** An entry of 41 bytes at the start of its archive. */
const plain: ZipEntry = {
  name: 'a',
  readings: ['a'],
  brokenName: false,
  encrypted: false,
  method: 0,
  kind: 0,
  offset: 0,
  length: 41,
  expandedBytes: 10,
};

function judge(changes: readonly Partial<ZipEntry>[], bytes = 1_000_000_000): string[] {
  const entries = changes.map((change, index) => ({
    ...plain,
    name: `${index}`,
    readings: [`${index}`],
    offset: index * 41,
    ...change,
  }));
  return judgeDirectory(entries, { bytes, directoryOffset: entries.length * 41 });
}

describe('a zip’s directory', () => {
  it.each([
    { bytes: 100_000_000_000, problems: [] },
    {
      bytes: 100_000_000_001,
      problems: ['It expands to 100000000001 bytes, but at most 100000000000 are allowed.'],
    },
  ])('may have $bytes bytes in total: $problems', ({ bytes, problems }) => {
    expect(judge([{ expandedBytes: bytes - 1 }, { expandedBytes: 1 }])).toEqual(problems);
  });

  it.each([
    { archive: 50_000, expanded: 10_000_000, dense: false },
    { archive: 49_999, expanded: 10_000_000, dense: false },
    { archive: 49_999, expanded: 10_000_001, dense: true },
    { archive: 100_000, expanded: 20_000_000, dense: false },
    { archive: 100_000, expanded: 20_000_001, dense: true },
  ])('may expand to $expanded bytes from $archive: not $dense', ({ archive, expanded, dense }) => {
    const problems = judge([{ expandedBytes: expanded }], archive);
    expect(problems).toHaveLength(dense ? 1 : 0);
    if (dense) expect(problems[0]).toContain('more than 200 times its own size');
  });

  it('may list its entries in any order', () => {
    expect(judge([{ offset: 82 }, { offset: 0 }, { offset: 41 }])).toEqual([]);
    expect(judge([{ offset: 82 }, { offset: 0 }, { offset: 40 }])).toEqual([
      "'1': it overlaps what follows it.",
    ]);
  });

  it('reports one problem of each kind for each entry, in their order', () => {
    const wrong = { readings: ['../a', '/b'], brokenName: true, encrypted: true, method: 9 };
    expect(judge([{ ...wrong, kind: 0o120000 }, {}, { readings: [''] }])).toEqual([
      "'0': its path leads outside the archive.",
      "'0': its name is not valid UTF-8.",
      "'0': it is encrypted.",
      "'0': it is neither stored nor deflated.",
      "'0': it is a link or a special file.",
      "'2': it has no name.",
    ]);
  });

  it('may repeat a name within one entry, but not across two', () => {
    expect(judge([{ readings: ['a', './a'] }])).toEqual([]);
    expect(judge([{ readings: ['a', 'b'] }, { readings: ['c', 'b'] }])).toEqual([
      "'1': the archive contains this name twice.",
    ]);
  });

  it('may have names that differ only in their folders', () => {
    expect(judge([{ readings: ['a/b'] }, { readings: ['ab'] }])).toEqual([]);
  });

  it.each(['z:', 'Z:/a', 'a:b'])('refuses a path that starts with a drive: %s', (path) => {
    expect(judge([{ readings: [path] }])).toEqual(["'0': its path is absolute."]);
  });

  it.each(['ab:', '1:', 'a/b:c', 'a/b/'])('accepts the path %s', (path) => {
    expect(judge([{ readings: [path] }])).toEqual([]);
  });
});

const first = 10;
const end = 30;

/** Builds the end of an archive with a directory of 20 bytes, correct except for what is given. */
function isPlain({ signature = 0x06054b50, size = 20 } = {}) {
  const archive = Buffer.alloc(end + 22);
  archive.writeUInt32LE(signature, end);
  archive.writeUInt32LE(size, end + 12);
  return isPlainDirectory({ first, end, endRecord: end, read: readOf(archive) });
}

/**
 * Builds the long form, in which a record of 56 bytes and a locator of 20 precede the last record.
 */
function judgeLong({
  signature = 0x06054b50,
  size = 0xffffffff,
  signature64 = 0x06064b50,
  size64 = 20,
  between = 76,
  gap = 0,
} = {}) {
  const endRecord = end + between;
  const archive = Buffer.alloc(endRecord + 22);
  archive.writeUInt32LE(signature64, end);
  // The announced length leaves out the first 12 bytes.
  archive.writeBigUInt64LE(BigInt(between - gap - 20 - 12), end + 4);
  archive.writeBigUInt64LE(BigInt(size64), end + 40);
  archive.writeUInt32LE(signature, endRecord);
  archive.writeUInt32LE(size, endRecord + 12);
  return isPlainDirectory({ first, end, endRecord, read: readOf(archive) });
}

const readOf = (archive: Buffer) => async (position: number, length: number) =>
  archive.subarray(position, position + length);

describe('a directory', () => {
  it('is plain if it ends with the archive', async () => {
    expect(await isPlain()).toBe(true);
  });

  it.each([
    { what: 'another size', wrong: { size: 21 } },
    { what: 'the sign of a long form that is not there', wrong: { size: 0xffffffff } },
    { what: 'another record behind it', wrong: { signature: 1 } },
  ])('is not plain with $what', async ({ wrong }) => {
    expect(await isPlain(wrong)).toBe(false);
  });
});

describe('a directory of the long form', () => {
  it.each([
    { what: 'its size in the long record alone', right: {} },
    { what: 'its size in both records', right: { size: 20 } },
    { what: 'a long record that has more to say', right: { between: 80 } },
  ])('is plain with $what', async ({ right }) => {
    expect(await judgeLong(right)).toBe(true);
  });

  it.each([
    { what: 'another size in the short record', wrong: { size: 21 } },
    { what: 'another size in the long record', wrong: { size64: 21 } },
    { what: 'another size in both', wrong: { size: 40, size64: 21 } },
    { what: 'another short record', wrong: { signature: 1 } },
    { what: 'another long record', wrong: { signature64: 1 } },
    { what: 'neither of the two records', wrong: { signature: 1, signature64: 1 } },
    { what: 'a gap behind the long record', wrong: { between: 80, gap: 4 } },
    { what: 'a long record without room for it', wrong: { between: 75 } },
    { what: 'a long record without room for its locator', wrong: { between: 56 } },
  ])('is not plain with $what', async ({ wrong }) => {
    expect(await judgeLong(wrong)).toBe(false);
  });
});

describe('placeOfEndRecord', () => {
  it('is 22 bytes and a comment before the end', () => {
    expect(placeOfEndRecord(100, 0)).toBe(78);
    expect(placeOfEndRecord(100, 8)).toBe(70);
  });
});
