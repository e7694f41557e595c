import { describe, expect, it } from 'vitest';
import { ObjectNotFoundError } from '#lib/files/errors.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { RangeReader } from '#lib/zips/range-reader.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';

/** Opens an object whose bytes show their position, and records the ranges that are read. */
async function open(bytes: number, change: Partial<ObjectStore> = {}) {
  const { inputs } = createMemoryFiles();
  await inputs.put(
    'a',
    Buffer.from({ length: bytes }).map((_, place) => place % 251),
  );
  const ranges: string[] = [];
  const read: ObjectStore['read'] = (key, range) => {
    ranges.push(`${range?.first}-${range?.last}`);
    return inputs.read(key, range);
  };
  return { ranges, reader: new RangeReader({ ...inputs, read, ...change }, 'a', bytes) };
}

const places = (first: number, length: number) =>
  Array.from({ length }, (_, index) => (first + index) % 251);

describe('a reader of ranges', () => {
  it('fetches a block of a million bytes, or the rest, and serves everything in it', async () => {
    const { reader, ranges } = await open(1_500_000);
    expect([...(await reader.find(100, 3))]).toEqual(places(100, 3));
    expect([...(await reader.find(1_000_097, 3))]).toEqual(places(1_000_097, 3));
    expect(ranges).toEqual(['100-1000099']);
    expect([...(await reader.find(1_000_098, 3))]).toEqual(places(1_000_098, 3));
    expect(ranges).toEqual(['100-1000099', '1000098-1499999']);
    expect([...(await reader.find(1_499_999, 1))]).toEqual(places(1_499_999, 1));
    expect(ranges).toHaveLength(2);
    expect([...(await reader.find(1_000_097, 1))]).toEqual(places(1_000_097, 1));
    expect(ranges[2]).toBe('1000097-1499999');
  });

  it('fetches more than a block if more is wanted', async () => {
    const { reader, ranges } = await open(2_000_000);
    expect(await reader.find(0, 1_200_000)).toHaveLength(1_200_000);
    expect(ranges).toEqual(['0-1199999']);
  });

  it('returns what exists, and refuses a position behind the end', async () => {
    const { reader } = await open(10);
    expect([...(await reader.find(8, 5))]).toEqual([8, 9]);
    const refusal = { problems: ['It is damaged or cut off.'] };
    await expect(reader.find(10, 1)).rejects.toMatchObject(refusal);
  });

  it('fetches eight million bytes in total at most', async () => {
    const { reader, ranges } = await open(9_000_000);
    for (let block = 0; block < 8; block += 1) await reader.find(block * 1_000_000, 1);
    expect(ranges).toHaveLength(8);
    await expect(reader.find(8_999_999, 1)).rejects.toThrow(
      'Its directory is larger than the 8000000 bytes allowed.',
    );
    expect(ranges).toHaveLength(8);
  });

  const readInto = (reader: RangeReader, buffer: Buffer, length: number, position: number) =>
    new Promise<Error | null>((resolve) => {
      reader.read(buffer, 1, length, position, resolve);
    });

  it('writes at the given offset', async () => {
    const { reader } = await open(10);
    const buffer = Buffer.alloc(4);
    expect(await readInto(reader, buffer, 2, 5)).toBeNull();
    expect([...buffer]).toEqual([0, 5, 6, 0]);
    expect(reader.failure).toBeUndefined();
  });

  it('reports an object that ends too early', async () => {
    const { reader } = await open(10);
    expect(await readInto(reader, Buffer.alloc(9), 5, 8)).toEqual(new Error('It ends too early.'));
    expect(reader.failure).toBeUndefined();
  });

  it('remembers why reading failed', async () => {
    const gone = new ObjectNotFoundError('a');
    const { reader } = await open(10, { read: () => Promise.reject(gone) });
    expect(await readInto(reader, Buffer.alloc(9), 5, 0)).toBe(gone);
    expect(reader.failure).toBe(gone);
    const odd = await open(10, { read: () => Promise.reject('no error') });
    const error = await readInto(odd.reader, Buffer.alloc(9), 5, 0);
    expect(error).toEqual(new Error('It cannot be read.'));
    expect(odd.reader.failure).toBe('no error');
  });
});
