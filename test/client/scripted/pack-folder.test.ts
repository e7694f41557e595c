import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { listFolder, writeZipFile } from '#client/src/node/pack-folder.ts';
import { inspectZip } from '#lib/zips/inspect-zip.ts';
import { FolderNotPackable, packFolder } from '../../../client/src/node/index.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-pack-'));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true }));
});

function put(name: string, content: string | Uint8Array = '', mode = 0o644): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content, { mode });
}

async function pack(): Promise<Buffer> {
  const { blob, remove } = await packFolder(folder);
  const bytes = Buffer.from(await blob.arrayBuffer());
  await remove();
  return bytes;
}

/** Names with what they hold and their modes, as another program reads them. */
async function readZip(zip: Buffer) {
  const file = await fromBufferPromise(zip);
  const entries: { name: string; content: string; mode: string }[] = [];
  for await (const entry of file.eachEntry()) {
    const content = await buffer(await file.openReadStreamPromise(entry));
    const mode = (entry.externalFileAttributes >>> 16).toString(8);
    entries.push({ name: entry.fileName, content: content.toString(), mode });
  }
  return entries;
}

describe('packing a folder', () => {
  it('writes a zip that other programs and the service read: names, contents, modes, empty folders', async () => {
    put('run.sh', '#!/bin/sh\n', 0o755);
    put('data/神经元/入力.txt', 'größe');
    put('data/empty file');
    mkdirSync(join(folder, 'results/of today'), { recursive: true });
    const zip = await pack();
    expect(await readZip(zip)).toEqual([
      { name: 'data/empty file', content: '', mode: '100644' },
      { name: 'data/神经元/入力.txt', content: 'größe', mode: '100644' },
      { name: 'results/of today/', content: '', mode: '40755' },
      { name: 'run.sh', content: '#!/bin/sh\n', mode: '100755' },
    ]);
    await expect(inspectZip(zip)).resolves.toBeUndefined();
  });

  it('writes the same zip each time, whatever the order in which files were created', async () => {
    for (const name of ['c', 'a/z', 'b']) put(name, name);
    const first = await pack();
    rmSync(join(folder, 'a'), { recursive: true });
    put('a/z', 'a/z');
    expect((await pack()).equals(first)).toBe(true);
  });

  it('packs many files, and reports their number and the progress', async () => {
    for (let number = 0; number < 110; number += 1) put(`part/${number}`, 'x'.repeat(number));
    const told: number[] = [];
    const packed = await packFolder(folder, {
      onProgress: (done, whole) => {
        told.push(done);
        expect(whole).toBe(5_995);
      },
    });
    const zip = Buffer.from(await packed.blob.arrayBuffer());
    expect(packed).toMatchObject({ files: 110, bytes: 5_995 });
    expect(await readZip(zip)).toHaveLength(110);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(5_995);
    await packed.remove();
    await expect(packed.blob.arrayBuffer()).rejects.toThrow();
  });

  it('writes a zip without entries for an empty folder', async () => {
    expect(await readZip(await pack())).toEqual([]);
  });
});

describe('a folder that cannot be packed', () => {
  it('lists all unsupported entries at once, and follows no link', async () => {
    put('a.txt');
    put('back\\slash');
    put('bell\u0007');
    symlinkSync('/etc', join(folder, 'elsewhere'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const refusal = await packFolder(folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FolderNotPackable);
    expect(String(refusal).split('\n').slice(1).sort()).toEqual([
      "'back\\slash' has a backslash or a control character in its name. Rename it.",
      "'bell?' has a backslash or a control character in its name. Rename it.",
      "'elsewhere' is a link. Replace it with a copy of its target, or remove it.",
      "'pipe' is not a file or folder. Remove it.",
    ]);
  });

  it('reports a missing folder', async () => {
    await expect(packFolder(join(folder, 'none'))).rejects.toThrow('ENOENT');
  });

  it('leaves no file behind when packing is aborted', async () => {
    put('a', 'a');
    put('b', 'b');
    const temporary = mkdtempSync(join(tmpdir(), 'slipway-pack-'));
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(temporary, { recursive: true });
    });
    const giving = new AbortController();
    const packing = packFolder(folder, {
      signal: giving.signal,
      onProgress: () => {
        expect(readdirSync(temporary)).toHaveLength(1);
        giving.abort();
      },
    });
    await expect(packing).rejects.toThrow();
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('a process that exits', () => {
  it('removes its zips, including those that it never sent', () => {
    put('a', 'a');
    const temporary = mkdtempSync(join(tmpdir(), 'slipway-pack-'));
    onTestFinished(() => rmSync(temporary, { recursive: true }));
    const entry = new URL('../../../client/src/node/index.ts', import.meta.url);
    const script = `import { packFolder } from '${entry}';
      import { readdirSync } from 'node:fs';
      await packFolder(process.argv[1]);
      console.log(readdirSync(process.env.TMPDIR).length);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script, folder], {
      env: { TMPDIR: temporary },
      encoding: 'utf8',
    });
    expect(printed).toBe('1\n');
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('a large zip', () => {
  it('uses Zip64 fields, which readers understand', async () => {
    put('small', 'small');
    put('large', 'large'.repeat(1000));
    put('z/last', 'last');
    const entries = await listFolder(folder);
    const file = await open(join(folder, 'wide.zip'), 'wx+');
    // As if four bytes held no more than 40.
    await writeZipFile(file, entries, { wideFrom: 40 });
    const zip = await file.readFile().finally(() => file.close());
    expect(zip.includes(Buffer.from('PK\x06\x06', 'latin1'))).toBe(true);
    expect((await readZip(zip)).map(({ name, content }) => [name, content.length])).toEqual([
      ['large', 5000],
      ['small', 5],
      ['z/last', 4],
    ]);
    await expect(inspectZip(zip)).resolves.toBeUndefined();
  });

  it.each([1, -1])('refuses a file that changes by %i bytes while it is packed', async (change) => {
    put('a', 'content');
    const entries = await listFolder(folder);
    const file = await open(join(folder, 'changed.zip'), 'wx+');
    const before = entries.map((entry) => ({ ...entry, bytes: entry.bytes - change }));
    const packing = writeZipFile(file, before, {}).finally(() => file.close());
    await expect(packing).rejects.toThrow('changed while it was packed');
  });
});
