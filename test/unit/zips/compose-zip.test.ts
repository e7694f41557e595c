import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { composeZip, measureZip, type ZipPart } from '#lib/zips/compose-zip.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import { inspectZip } from '#lib/zips/inspect-zip.ts';
import { listParts } from '#lib/zips/list-parts.ts';
import { mergeParts } from '#lib/zips/merge-parts.ts';
import { openStoredZip, readAllEntries, unpack } from '#lib/zips/stored-zip.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';

async function partsOf(zip: Uint8Array): Promise<ZipPart[]> {
  const { inputs } = createMemoryFiles();
  inputs.objects.set('a', zip);
  return listParts(inputs, 'a', zip.length);
}

async function write(parts: readonly ZipPart[]): Promise<Buffer> {
  const { bytes, stream } = await composeZip(parts).open();
  const content = await buffer(stream);
  expect(content.length).toBe(bytes);
  return content;
}

async function read(zip: Uint8Array): Promise<Record<string, string>> {
  const { inputs } = createMemoryFiles();
  inputs.objects.set('a', zip);
  const opened = await openStoredZip(inputs, 'a', zip.length);
  const entries = await readAllEntries(opened);
  const texts: Record<string, string> = {};
  for (const entry of entries) {
    const isFolder = entry.fileName.endsWith('/');
    texts[entry.fileName] = isFolder ? '' : String(await buffer(unpack(opened, entry)));
  }
  return texts;
}

const large = 'slipway '.repeat(1_000_000);

describe('a zip that is put together from others', () => {
  it('holds their files, byte by byte, and is a safe one', async () => {
    const one = await partsOf(
      buildZip([
        { name: 'in/a.txt', content: 'twelve bytes' },
        { name: 'in/stored', content: large, stored: true },
        { name: 'empty', content: '' },
        { name: 'folder/', content: '' },
        { name: '神经元.txt', content: 'neuron' },
      ]),
    );
    const two = await partsOf(buildZip([{ name: 'b.txt', content: 'another' }]));
    const zip = await write([...one, ...two]);
    expect(zip.length).toBe(measureZip([...one, ...two]));
    await inspectZip(zip);
    expect(await read(zip)).toEqual({
      'in/a.txt': 'twelve bytes',
      'in/stored': large,
      empty: '',
      'folder/': '',
      '神经元.txt': 'neuron',
      'b.txt': 'another',
    });
  });

  it('can be written again, if the first try failed', async () => {
    const parts = await partsOf(buildZip([{ name: 'a', content: 'once' }]));
    const source = composeZip(parts);
    const first = await buffer((await source.open()).stream);
    expect(await buffer((await source.open()).stream)).toEqual(first);
  });

  it('may be empty', async () => {
    const zip = await write([]);
    await inspectZip(zip);
    expect(await read(zip)).toEqual({});
  });

  it('reads many small files with few calls', async () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({
      name: `f${index}`,
      content: String(index),
    }));
    const zip = buildZip(entries);
    const { inputs } = createMemoryFiles();
    inputs.objects.set('a', zip);
    let reads = 0;
    const counted = {
      read: (key: string, range: { first: number; last: number }) => {
        reads += 1;
        return inputs.read(key, range);
      },
    };
    const parts = await listParts(counted, 'a', zip.length);
    await inspectZip(await write(parts));
    expect(reads).toBeLessThan(10);
  });

  it('leaves out links, which no input may have', async () => {
    const zip = buildZip([{ name: 'link', content: '/etc/passwd' }, { name: 'file' }]);
    // The mode in the first line of the directory.
    const line = zip.indexOf('PK\x01\x02', 0, 'latin1');
    zip.writeUInt32LE((0o120777 << 16) >>> 0, line + 38);
    expect((await partsOf(zip)).map(({ name }) => name)).toEqual(['file']);
  });

  it('is refused if an entry ends before its bytes', async () => {
    const { inputs } = createMemoryFiles();
    const zip = buildZip([{ name: 'a', content: large, stored: true }]);
    inputs.objects.set('a', zip);
    const listed = await listParts(inputs, 'a', zip.length);
    inputs.objects.set('a', zip.subarray(0, 100));
    await expect(write(listed)).rejects.toThrow(UnsafeZipError);
  });
});

describe('mergeParts', () => {
  const part = (name: string): ZipPart => ({
    name,
    isDeflated: false,
    crc32: 0,
    packedBytes: 0,
    expandedBytes: 0,
    mode: 0,
    open: async function* () {},
  });
  const merge = (own: readonly string[], others: readonly string[], folder?: string) =>
    mergeParts(own.map(part), others.map(part), folder).map(({ name }) => name);

  it.each([
    { what: 'keeps all', own: ['a'], others: ['b'], merged: ['a', 'b'] },
    {
      what: 'lets own files win',
      own: ['a', 'd/b'],
      others: ['a', 'd/b', 'c'],
      merged: ['a', 'd/b', 'c'],
    },
    { what: 'knows the same place', own: ['./a'], others: ['a', 'b//c'], merged: ['./a', 'b//c'] },
    {
      what: 'keeps an own file in place of a folder',
      own: ['a'],
      others: ['a/b', 'a/'],
      merged: ['a'],
    },
    {
      what: 'keeps an own folder in place of a file',
      own: ['a/b'],
      others: ['a'],
      merged: ['a/b'],
    },
    {
      what: 'joins folders',
      own: ['a/', 'a/b'],
      others: ['a/', 'a/c'],
      merged: ['a/', 'a/b', 'a/c'],
    },
    { what: 'takes a name of the others once', own: [], others: ['a', 'a'], merged: ['a'] },
    {
      what: 'finds an own file far above',
      own: ['a', 'a/b', 'a-b', 'b'],
      others: ['a/c/d', 'a-c', 'a-b/c', 'b/', 'c'],
      merged: ['a', 'a/b', 'a-b', 'b', 'a-c', 'c'],
    },
    {
      what: 'finds an own file far below',
      own: ['a/b/c/d', 'a!'],
      others: ['a', 'a/b', 'a/b/c', 'a/d/', 'a/bc'],
      merged: ['a/b/c/d', 'a!', 'a/d/', 'a/bc'],
    },
  ])('$what', ({ own, others, merged }) => {
    expect(merge(own, others)).toEqual(merged);
  });

  it('looks at each path as a whole, however many folders it names', () => {
    const deep = (name: string) => `${name}/${'a/'.repeat(300_000)}f`;
    const others = [deep('x'), deep('z'), `${deep('x')}/below`];
    expect(merge([deep('x'), deep('y')], others)).toEqual([deep('x'), deep('y'), deep('z')]);
  });

  it('puts the others into a folder', () => {
    expect(merge(['a', 'before/b'], ['a', 'b'], 'before')).toEqual(['a', 'before/b', 'before/a']);
  });
});
