import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { keepObjectsInMemory } from '#local/storage/objects-in-memory.ts';
import { keepObjectsOnDisk } from '#local/storage/objects-on-disk.ts';
import { openDirectStore } from '#local/storage/open-direct-store.ts';

/** A store on the disk, and a file beside it as it was found. */
function prepare(content: string) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-adopt-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = openDirectStore(keepObjectsOnDisk(join(folder, 'files')), 'results');
  const path = join(folder, 'result.bin');
  writeFileSync(path, content);
  const { dev: device, ino: inode } = statSync(path);
  return { store, path, folder, place: { path, device, inode } };
}

it('makes a file an object that shares its bytes, in place of an older one', async () => {
  const { store, path, place } = prepare('results');
  await store.put('relay/7/A/r', Buffer.from('older'));
  expect(await store.adopt?.('relay/7/A/r', place)).toBe(true);
  const { bytes, stream, place: kept } = await store.open('relay/7/A/r');
  expect([bytes, String(await buffer(stream))]).toEqual([7, 'results']);
  expect(kept?.inode).toBe(place.inode);
  await store.remove('relay/7/A/r');
  expect(statSync(path)).toMatchObject({ nlink: 1, size: 7 });
});

it('adopts nothing but the file that was found', async () => {
  const { store, path, folder, place } = prepare('results');
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'of somebody else');
  renameSync(path, join(folder, 'moved'));
  expect(await store.adopt?.('r', place)).toBe(false);
  symlinkSync(secret, path);
  expect(await store.adopt?.('r', place)).toBe(false);
  rmSync(path);
  writeFileSync(path, 'another');
  expect(await store.adopt?.('r', place)).toBe(false);
  expect(await store.measure('r')).toBeUndefined();
});

it('is nothing that a storage in memory can do', () => {
  expect(openDirectStore(keepObjectsInMemory(), 'results').adopt).toBeUndefined();
});
