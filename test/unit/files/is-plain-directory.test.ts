import { describe, expect, it } from 'vitest';
import { isPlainDirectory, placeOfEndRecord } from '#lib/files/zips/is-plain-directory.ts';

const first = 10;
const end = 30;

/** The end of an archive with a directory of 20 bytes in it, honest where it is not told otherwise. */
function judge({ signature = 0x06054b50, size = 20 } = {}) {
  const archive = Buffer.alloc(end + 22);
  archive.writeUInt32LE(signature, end);
  archive.writeUInt32LE(size, end + 12);
  return isPlainDirectory({ first, end, endRecord: end, read: readOf(archive) });
}

/** The same in the long form: a record of 56 bytes and a locator of 20 stand before the last one. */
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
  // What it says of its length leaves out its first 12 bytes.
  archive.writeBigUInt64LE(BigInt(between - gap - 20 - 12), end + 4);
  archive.writeBigUInt64LE(BigInt(size64), end + 40);
  archive.writeUInt32LE(signature, endRecord);
  archive.writeUInt32LE(size, endRecord + 12);
  return isPlainDirectory({ first, end, endRecord, read: readOf(archive) });
}

const readOf = (archive: Buffer) => async (position: number, length: number) =>
  archive.subarray(position, position + length);

describe('a directory', () => {
  it('is plain where it ends with the archive', async () => {
    expect(await judge()).toBe(true);
  });

  it.each([
    { what: 'another size', wrong: { size: 21 } },
    { what: 'the sign of a long form that is not there', wrong: { size: 0xffffffff } },
    { what: 'another record behind it', wrong: { signature: 1 } },
  ])('is not plain with $what', async ({ wrong }) => {
    expect(await judge(wrong)).toBe(false);
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
