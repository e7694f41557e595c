import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectNotFoundError } from '#lib/files/errors.ts';
import { type ObjectStore, openObjectStore } from '#lib/files/storage/object-store.ts';
import type { PartStore } from '#lib/files/storage/parts.ts';
import type { StorageSettings } from '#lib/files/storage/storage-address.ts';
import { type StorageEngine, startedElsewhere, storages } from '../engines/storages.ts';

const key = '306328/AF17D39A.zip';
const content = Buffer.from('The quick brown fox');

/** Opens a separate bucket for the surrounding tests. */
function useStore({ start }: StorageEngine): () => ObjectStore {
  let directory: string;
  let settings: StorageSettings;
  let parts: PartStore | undefined;
  let close: () => Promise<void>;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    const storage = await start(directory);
    settings = storage.settings;
    parts = storage.parts;
    close = storage.close;
  });
  afterAll(async () => {
    await close();
    rmSync(directory, { recursive: true });
  });
  return () => ({ ...openObjectStore('slipway-inputs', settings), ...(parts && { parts }) });
}

describe.each(storages)('objects on $name', (engine) => {
  const store = useStore(engine);

  it('are read as they were written, whole', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    await store().put(key, bytes);
    expect(Buffer.from(await store().read(key)).equals(bytes)).toBe(true);
  });

  it('are written and read piece by piece', async () => {
    const piece = Buffer.alloc(70_000, 'ab');
    const stream = () => ReadableStream.from<Uint8Array>([piece, piece, piece]);
    await store().putFrom(key, { open: async () => ({ bytes: 210_000, stream: stream() }) });
    const opened = await store().open(key);
    expect(opened.bytes).toBe(210_000);
    expect(Buffer.concat([piece, piece, piece]).equals(await buffer(opened.stream))).toBe(true);
    const nothing = ReadableStream.from<Uint8Array>([]);
    await store().putFrom(key, { open: async () => ({ bytes: 0, stream: nothing }) });
    expect(await buffer((await store().open(key)).stream)).toHaveLength(0);
  });

  it('are read in parts, as far as they go', async () => {
    await store().put(key, content);
    const text = async (first: number, last: number) =>
      Buffer.from(await store().read(key, { first, last })).toString();
    expect(await text(4, 8)).toBe('quick');
    expect(await text(1, 1)).toBe('h');
    expect(await text(16, 1000)).toBe('fox');
    expect(await text(0, 18)).toBe('The quick brown fox');
    expect(await text(19, 30)).toBe('');
  });

  it('are measured, even empty ones', async () => {
    await store().put(key, content);
    expect(await store().measure(key)).toBe(19);
    await store().put(key, new Uint8Array());
    expect(await store().measure(key)).toBe(0);
    expect(await store().read(key)).toHaveLength(0);
  });

  it('are replaced when they are written again', async () => {
    await store().put(key, content);
    await store().put(key, Buffer.from('short'));
    expect(Buffer.from(await store().read(key)).toString()).toBe('short');
  });

  it('are gone once removed, and may be removed again', async () => {
    await store().put(key, content);
    await store().remove(key);
    expect(await store().measure(key)).toBeUndefined();
    await expect(store().read(key)).rejects.toThrow(ObjectNotFoundError);
    await expect(store().open(key)).rejects.toThrow(ObjectNotFoundError);
    await expect(store().read(key, { first: 0, last: 3 })).rejects.toThrow(ObjectNotFoundError);
    await store().remove(key);
  });

  it.each(["306328/a b+c&d=e'f(g)!*.zip", '306328/übung €.zip', '306328/100%.zip', 'relay/1/2/~x'])(
    'are found by the key %s',
    async (strange) => {
      await store().put(strange, content);
      expect(await store().measure(strange)).toBe(19);
      const address = await store().addressToRead(strange, { expiresInSeconds: 60 });
      expect(await (await fetch(address)).text()).toBe('The quick brown fox');
    },
  );

  it('are read at a URL without credentials, under the name it gives', async () => {
    await store().put(key, content);
    const address = await store().addressToRead(key, {
      expiresInSeconds: 60,
      fileName: 'my "results" €.zip',
    });
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="my \\"results\\" ?.zip"; ' +
        "filename*=UTF-8''my%20%22results%22%20%E2%82%AC.zip",
    );
    expect(await response.text()).toBe('The quick brown fox');
  });

  it('are written at a URL with exactly the length it says', async () => {
    const place = '306328/uploads/1.zip';
    const address = await store().addressToWrite(place, { expiresInSeconds: 60, bytes: 19 });
    expect((await fetch(address, { method: 'PUT', body: content })).status).toBe(200);
    expect(Buffer.from(await store().read(place)).toString()).toBe('The quick brown fox');
  });
});

/** All but s3rver, which cannot list parts. */
const withParts = [...storages, ...startedElsewhere()].filter(({ listsParts }) => listsParts);

describe.each(withParts)('objects that are sent in parts on $name', (engine) => {
  const store = useStore(engine);
  const place = '306328/uploads/parts.zip';
  // S3 takes no smaller parts but the last.
  const partBytes = 5 * 1024 * 1024;
  const first = Buffer.alloc(partBytes, 'first part ');
  const second = Buffer.from('and the rest');

  async function send(id: string, number: number, content: Uint8Array): Promise<number> {
    const options = { expiresInSeconds: 60, bytes: content.length, part: { id, number } };
    const address = await store().addressToWrite(place, options);
    return (await fetch(address, { method: 'PUT', body: Buffer.from(content) })).status;
  }

  it('appear when they are joined, and then take no more parts', async () => {
    await store().remove(place);
    const { parts } = store();
    const id = await parts.begin(place, partBytes);
    expect(await parts.list(place, id)).toEqual([]);
    expect(await send(id, 2, second)).toBe(200);
    expect(await send(id, 1, Buffer.alloc(partBytes, 'wrong'))).toBe(200);
    expect(await send(id, 1, first)).toBe(200);
    const arrived = await parts.list(place, id);
    expect(arrived?.map(({ number, bytes }) => [number, bytes])).toEqual([
      [1, partBytes],
      [2, second.length],
    ]);
    expect(await store().measure(place)).toBeUndefined();
    expect(await parts.join(place, id, arrived ?? [])).toBe(true);
    const whole = Buffer.from(await store().read(place));
    expect(whole.equals(Buffer.concat([first, second]))).toBe(true);
    expect(await parts.list(place, id)).toBeUndefined();
    expect(await send(id, 2, second)).toBeGreaterThanOrEqual(400);
    await store().remove(place);
  });

  it('are not joined if a part has changed since it was listed', async () => {
    const { parts } = store();
    const id = await parts.begin(place, partBytes);
    await send(id, 1, second);
    const arrived = await parts.list(place, id);
    await send(id, 1, Buffer.from('other'));
    expect(await parts.join(place, id, arrived ?? [])).toBe(false);
    expect(await store().measure(place)).toBeUndefined();
  });
});

const strict = storages.filter(({ checksSignatures }) => checksSignatures);

describe.each(strict)('objects on $name, as S3 guards them,', (engine) => {
  const store = useStore(engine);

  it.each([18, 20])('stay unchanged if %i bytes were announced and 19 come', async (bytes) => {
    await store().put(key, Buffer.from('before'));
    const stream = () =>
      ReadableStream.from<Uint8Array>([content.subarray(0, 9), content.subarray(9)]);
    const source = { open: async () => ({ bytes, stream: stream() }) };
    await expect(store().putFrom(key, source)).rejects.toThrow('announced');
    expect(Buffer.from(await store().read(key)).toString()).toBe('before');
  });

  it('are refused at a URL if they are longer than it says', async () => {
    const place = '306328/uploads/2.zip';
    const address = await store().addressToWrite(place, { expiresInSeconds: 60, bytes: 18 });
    const response = await fetch(address, { method: 'PUT', body: content });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    expect(await store().measure(place)).toBeUndefined();
  });

  it('are written once if the URL says so', async () => {
    const place = '306328/uploads/3.zip';
    const address = await store().addressToWrite(place, { expiresInSeconds: 60, once: true });
    const send = (body: string, headers: Record<string, string> = { 'if-none-match': '*' }) =>
      fetch(address, { method: 'PUT', body, headers });
    expect((await send('first')).status).toBe(200);
    expect((await send('second')).status).toBe(412);
    expect((await send('third', {})).status).toBe(403);
    expect(Buffer.from(await store().read(place)).toString()).toBe('first');
  });

  it('have a URL for one method and one key', async () => {
    await store().put(key, content);
    const address = await store().addressToRead(key, { expiresInSeconds: 60 });
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(address.replace('AF17', 'BF17'))).status).toBe(403);
    expect((await fetch(`${address}&response-content-disposition=inline`)).status).toBe(403);
    expect((await fetch(address.split('?')[0] ?? '')).status).toBe(403);
    expect(await store().measure(key)).toBe(19);
  });
});
