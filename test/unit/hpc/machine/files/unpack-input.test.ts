import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { JobRefusedError } from '#lib/hpc/errors.ts';
import { unpackInput } from '#lib/hpc/machine/files/unpack-input.ts';
import { emptyZip } from '#test/fixtures/zip.ts';
import { type CraftedEntry, craftZip } from '#test/unit/zips/craft-zip.ts';

function openFolder(): { root: string; work: string } {
  const root = mkdtempSync(join(tmpdir(), 'slipway-unpack-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'work'));
  return { root, work: join(root, 'work') };
}

async function unpack(zip: Buffer, maxBytes = 1_000_000) {
  const { root, work } = openFolder();
  const source = { open: async () => ({ bytes: zip.length, stream: streamBytes(zip) }) };
  const aside = join(root, 'input.zip');
  const unpacking = unpackInput(source, { folder: work, aside, maxBytes });
  const refusal = await unpacking.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { root, work, refusal };
}

describe('unpackInput', () => {
  it('unpacks files, folders and permissions for the owner alone', async () => {
    const { root, work, refusal } = await unpack(
      craftZip([
        { name: 'empty/' },
        { name: 'data/in.csv', content: 'a,b\n' },
        { name: 'run.sh', content: 'echo hello\n', madeOn: 3, mode: 0o100755 },
      ]),
    );
    expect(refusal).toBeUndefined();
    expect(readdirSync(root)).toEqual(['work']);
    expect(readdirSync(work, { recursive: true }).toSorted()).toEqual([
      'data',
      'data/in.csv',
      'empty',
      'run.sh',
    ]);
    expect(readFileSync(join(work, 'data/in.csv'), 'utf8')).toBe('a,b\n');
    expect(statSync(join(work, 'run.sh')).mode & 0o777).toBe(0o700);
    expect(statSync(join(work, 'data/in.csv')).mode & 0o777).toBe(0o600);
  });

  it('unpacks an empty zip', async () => {
    expect((await unpack(emptyZip)).refusal).toBeUndefined();
  });

  it('unpacks a file that is read in several pieces', async () => {
    const content = Buffer.alloc(9_000_000, 'slipway ');
    const zip = craftZip([{ name: 'a', content, method: 0 }]);
    const { work, refusal } = await unpack(zip, 10_000_000);
    expect(refusal).toBeUndefined();
    expect(readFileSync(join(work, 'a')).equals(content)).toBe(true);
  });

  const bad: { kind: string; entries: CraftedEntry[]; says: RegExp; max?: number }[] = [
    { kind: 'an absolute path', entries: [{ name: '/etc/x' }], says: /its path is absolute/ },
    { kind: 'a path outside', entries: [{ name: 'a/../../x' }], says: /leads outside/ },
    {
      kind: 'a symbolic link',
      entries: [{ name: 'l', content: '/etc/passwd', madeOn: 3, mode: 0o120777 }],
      says: /it is a link or a special file/,
    },
    {
      kind: 'more than a job may have',
      entries: [{ name: 'a', content: 'x'.repeat(2000) }],
      max: 1999,
      says: /It expands to 2000 bytes, but the files of a job may have 1999 here/,
    },
    {
      kind: 'more than it announces',
      entries: [{ name: 'a', content: 'x'.repeat(2000), announcedBytes: 5 }],
      says: /It is damaged/,
    },
    {
      kind: 'a damaged file',
      entries: [{ name: 'a', content: 'x', checksum: 7 }],
      says: /damaged/,
    },
    {
      kind: 'a file where a folder is',
      entries: [
        { name: 'a', content: 'x' },
        { name: 'a/b', content: 'y' },
      ],
      says: /Two of its entries have the same place/,
    },
    { kind: 'a name of 300 letters', entries: [{ name: 'a'.repeat(300) }], says: /cannot store/ },
  ];
  it.each(bad)('refuses $kind', async ({ entries, says, max }) => {
    const { refusal, root } = await unpack(craftZip(entries), max);
    expect(refusal).toBeInstanceOf(JobRefusedError);
    expect(String(refusal)).toMatch(says);
    expect(readdirSync(root)).toEqual(['work']);
  });

  it('refuses what is not a zip', async () => {
    expect(String((await unpack(Buffer.from('hello world, this is text'))).refusal)).toMatch(
      /The zip cannot be unpacked\. It is not a zip file/,
    );
  });
});
