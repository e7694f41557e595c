import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileOf, keepObjectsOnDisk } from '#local/storage/objects-on-disk.ts';

const place = { bucket: 'inputs', key: '7/uploads/a.zip' };
const bytesOf = (text: string) => Readable.from([Buffer.from(text)]);

async function begin() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const objects = keepObjectsOnDisk(folder);
  const id = await objects.parts.begin(place, 5);
  const read = () => String(readFileSync(join(folder, 'buckets', fileOf(place))));
  return { objects, parts: objects.parts, id, read, folder };
}

/** A sender that has sent a piece and is silent from then on. */
function openStalled() {
  const began = Promise.withResolvers<void>();
  const more = Promise.withResolvers<void>();
  async function* content() {
    yield Buffer.from('xx');
    began.resolve();
    await more.promise;
    yield Buffer.from('yyy');
  }
  return { content: content(), began: began.promise, goOn: more.resolve };
}

describe('the parts of an object on the disk', () => {
  it('are not joined while one of them is written', async () => {
    const { parts, id } = await begin();
    await parts.write(place, id, 1, bytesOf('first'));
    const listed = (await parts.list(place, id)) ?? [];
    const stalled = openStalled();
    const writing = parts.write(place, id, 1, stalled.content);
    await stalled.began;
    expect(await parts.list(place, id)).toEqual([]);
    expect(await parts.join(place, id, listed)).toBe(false);
    stalled.goOn();
    expect(await writing).toBe(true);
  });

  it('have the bytes of the last try alone', async () => {
    const { parts, id, read } = await begin();
    const stalled = openStalled();
    const earlier = parts.write(place, id, 1, stalled.content);
    const refused = expect(earlier).rejects.toThrow();
    await stalled.began;
    expect(await parts.write(place, id, 1, bytesOf('later'))).toBe(true);
    expect(await parts.join(place, id, (await parts.list(place, id)) ?? [])).toBe(true);
    stalled.goOn();
    await refused;
    expect(read()).toBe('later');
    expect(await parts.write(place, id, 1, bytesOf('after'))).toBe(false);
    expect(read()).toBe('later');
  });

  it('take no more bytes than announced, and stay after a restart', async () => {
    const { parts, id, folder, read } = await begin();
    await parts.write(place, id, 2, bytesOf('end'));
    await expect(parts.write(place, id, 1, bytesOf('longer'))).rejects.toThrow('more than 5 bytes');
    const again = keepObjectsOnDisk(folder);
    expect(await again.parts.write(place, id, 1, bytesOf('begin'))).toBe(true);
    expect(await again.parts.join(place, id, (await parts.list(place, id)) ?? [])).toBe(true);
    expect(read()).toBe('beginend');
  });

  it('are removed with the object', async () => {
    const { objects, parts, id } = await begin();
    await parts.write(place, id, 1, bytesOf('first'));
    await objects.remove(place);
    expect(await parts.list(place, id)).toBeUndefined();
  });
});
