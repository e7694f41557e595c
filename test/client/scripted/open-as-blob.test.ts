import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openAsBlob } from '../../../client/src/node/open-as-blob.ts';

/** A file with a text at its end, and a hole before it. */
async function writeFile(bytes: number, text: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-blob-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'large.bin');
  const file = await open(path, 'w');
  await file.write(text, bytes - text.length);
  await file.close();
  return path;
}

it.each([1_000_000, 2 ** 32, 20_000_000_000])(
  'a file of %d bytes is read where it is',
  async (bytes) => {
    const blob = await openAsBlob(await writeFile(bytes, 'the end'));
    expect(blob.size).toBe(bytes);
    const end = blob.slice(bytes - 7, bytes);
    expect([end.size, await new Response(end.stream()).text()]).toEqual([7, 'the end']);
    expect(await new Response(end.slice(4).stream()).text()).toBe('end');
    expect(await new Response(blob.slice(bytes, bytes + 5).stream()).text()).toBe('');
    expect(blob.slice(5, 9).size).toBe(4);
  },
);
