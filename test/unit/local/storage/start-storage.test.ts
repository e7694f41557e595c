import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as sendHttp } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObjectNotFoundError } from '#lib/files/errors.ts';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import type { Listening } from '#local/loopback/listen-on-loopback.ts';
import { readRange } from '#local/storage/answer-request.ts';
import { fileOf, removeFolder } from '#local/storage/objects-on-disk.ts';
import { type LocalStorage, startStorage } from '#local/storage/start-storage.ts';
import { openBytes, readOpened } from '#test/fixtures/byte-streams.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local', region: 'eu-central-1' };
const buckets = ['inputs'];

function openStore({ endpoint }: Listening, bucket = 'inputs', secret = 'local') {
  return openObjectStore(bucket, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_ENDPOINT_URL_S3: endpoint,
  });
}

describe('the local storage', () => {
  let directory: string;
  let storage: Listening;
  let now = new Date();
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    storage = await startStorage({ buckets, credentials, directory, now: () => now });
  });
  afterAll(async () => {
    await storage.close();
    rmSync(directory, { recursive: true });
  });

  it('keeps its files over a restart', async () => {
    await openStore(storage).put('1/a.zip', Buffer.from('kept'));
    await storage.close();
    storage = await startStorage({ buckets, credentials, directory, now: () => now });
    expect(Buffer.from(await openStore(storage).read('1/a.zip')).toString()).toBe('kept');
  });

  it('empties one folder before it starts, and nothing else', async () => {
    for (const key of ['relay/1/A/b', 'relay', '1/relay/c']) {
      await openStore(storage).put(key, Buffer.from('x'));
    }
    await storage.close();
    removeFolder(directory, { bucket: 'inputs', key: 'relay' });
    storage = await startStorage({ buckets, credentials, directory, now: () => now });
    expect(await openStore(storage).measure('relay/1/A/b')).toBeUndefined();
    expect(await openStore(storage).measure('relay')).toBe(1);
    expect(await openStore(storage).measure('1/relay/c')).toBe(1);
  });

  it('refuses an expired address', async () => {
    const store = openStore(storage);
    await store.put('1/b.zip', Buffer.from('b'));
    const address = await store.addressToRead('1/b.zip', { expiresInSeconds: 60 });
    expect((await fetch(address)).status).toBe(200);
    now = new Date(Date.now() + 61_000);
    const late = await fetch(address);
    now = new Date();
    expect(late.status).toBe(403);
    expect(await late.text()).toContain('<Message>Request has expired</Message>');
  });

  it('refuses other credentials and other buckets', async () => {
    await expect(openStore(storage, 'inputs', 'wrong').measure('a')).rejects.toThrow('403');
    await expect(openStore(storage, 'others').put('a', Buffer.alloc(1))).rejects.toThrow(
      'The storage answered PUT with 404 (NoSuchBucket).',
    );
  });

  /** What fetch would not send so. */
  function sendRaw(address: string, headers: Record<string, string>, body: string) {
    return new Promise<number | undefined>((resolve, reject) => {
      const request = sendHttp(address, { method: 'PUT', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  it('refuses a host that was rebound to it', async () => {
    const address = await openStore(storage).addressToWrite('1/c.zip', { expiresInSeconds: 60 });
    expect(await sendRaw(address, { host: 'evil.example' }, 'x')).toBe(403);
  });

  it('refuses a body without a length', async () => {
    const address = await openStore(storage).addressToWrite('1/c.zip', { expiresInSeconds: 60 });
    expect(await sendRaw(address, { 'transfer-encoding': 'chunked' }, 'x')).toBe(411);
    expect(await openStore(storage).measure('1/c.zip')).toBeUndefined();
  });

  it('keeps nothing of a body that breaks off', async () => {
    const address = await openStore(storage).addressToWrite('1/d.zip', { expiresInSeconds: 60 });
    const request = sendHttp(address, { method: 'PUT', headers: { 'content-length': '100' } });
    request.on('error', () => undefined);
    request.write('half');
    const drafts = () => readdirSync(join(directory, 'incoming')).length;
    await expect.poll(drafts, { interval: 5 }).toBe(1);
    request.destroy();
    await expect.poll(drafts, { interval: 5 }).toBe(0);
    expect(await openStore(storage).measure('1/d.zip')).toBeUndefined();
  });

  it('removes what a crash has left behind', async () => {
    await storage.close();
    mkdirSync(join(directory, 'incoming'), { recursive: true });
    writeFileSync(join(directory, 'incoming', 'half'), 'half');
    storage = await startStorage({ buckets, credentials, directory, now: () => now });
    expect(existsSync(join(directory, 'incoming', 'half'))).toBe(false);
    await openStore(storage).put('1/f.zip', Buffer.from('whole'));
    expect(readdirSync(join(directory, 'incoming'))).toEqual([]);
  });

  it('keeps connections for longer than clients do', async () => {
    const response = await fetch(storage.endpoint);
    await response.text();
    // It closes the one of a request that it refuses.
    expect(response.headers.get('keep-alive')).toBeNull();
    const address = await openStore(storage).addressToWrite('1/g.zip', { expiresInSeconds: 60 });
    const taken = await fetch(address, { method: 'PUT', body: 'g' });
    expect(taken.headers.get('keep-alive')).toBe('timeout=120');
  });

  it('keeps an existing object that may be written only once', async () => {
    const store = openStore(storage);
    await store.put('1/e.zip', Buffer.from('first'));
    const options = { expiresInSeconds: 60, once: true };
    const address = await store.addressToWrite('1/e.zip', options);
    const headers = { 'if-none-match': '*' };
    expect((await fetch(address, { method: 'PUT', body: 'second', headers })).status).toBe(412);
    expect(Buffer.from(await store.read('1/e.zip')).toString()).toBe('first');
    expect(readdirSync(join(directory, 'incoming'))).toEqual([]);
  });

  it('does not serve files outside of its folder', async () => {
    writeFileSync(join(directory, 'secret='), 'secret');
    const store = openStore(storage);
    for (const key of ['../secret', '..%2Fsecret', '../../secret', './../../secret']) {
      const address = await store.addressToRead(key, { expiresInSeconds: 60 });
      expect((await fetch(address)).status).not.toBe(200);
      expect(await store.measure(key).catch(() => undefined)).toBeUndefined();
    }
  });
});

describe.each(['on disk', 'in memory'])('the storage of this process, %s,', (place) => {
  let directory: string;
  let storage: LocalStorage;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    const kept = place === 'on disk' ? { directory } : {};
    storage = await startStorage({ buckets, credentials, ...kept });
  });
  afterAll(async () => {
    await storage.close();
    rmSync(directory, { recursive: true });
  });
  const send = (text: string, bytes: number) =>
    storage.openBucket('inputs').putFrom('a', {
      open: async () => ({ bytes, stream: openBytes(Buffer.from(text)).stream }),
    });

  it('stores and returns objects as streams', async () => {
    const store = storage.openBucket('inputs');
    await send('hello', 5);
    const { bytes, stream } = await store.open('a');
    expect(bytes).toBe(5);
    expect(String(await buffer(stream))).toBe('hello');
    await send('', 0);
    expect(String(await readOpened(store.open('a')))).toBe('');
    await expect(store.open('b')).rejects.toThrow(ObjectNotFoundError);
  });

  it('keeps the old object if the new one is not what was announced', async () => {
    await send('hello', 5);
    await expect(send('longer', 5)).rejects.toThrow('There are 6 of 5 bytes announced.');
    await expect(send('less', 5)).rejects.toThrow('There are 4 of 5 bytes announced.');
    expect(String(await readOpened(storage.openBucket('inputs').open('a')))).toBe('hello');
  });
});

describe('the file of an object', () => {
  it.each([
    { key: '306328/uploads/a.zip', file: 'b/306328/uploads/a.zip=' },
    { key: '../../x', file: 'b/%2E./%2E./x=' },
    { key: './x', file: 'b/%2E/x=' },
    { key: 'a//b', file: 'b/a/%/b=' },
    { key: 'a=', file: 'b/a%3D=' },
    { key: '~', file: 'b/%7E=' },
    { key: 'ä', file: 'b/%C3%A4=' },
    { key: 'x'.repeat(250), file: `b/${'x'.repeat(200)}~/${'x'.repeat(50)}=` },
  ])('of $key is $file', ({ key, file }) => {
    expect(fileOf({ bucket: 'b', key })).toBe(file);
  });
});

describe('readRange', () => {
  it.each([
    { header: undefined, span: { first: 0, last: 9, partial: false } },
    { header: 'bytes=0-0', span: { first: 0, last: 0, partial: true } },
    { header: 'bytes=2-5', span: { first: 2, last: 5, partial: true } },
    { header: 'bytes=2-', span: { first: 2, last: 9, partial: true } },
    { header: 'bytes=-3', span: { first: 7, last: 9, partial: true } },
    { header: 'bytes=-99', span: { first: 0, last: 9, partial: true } },
    { header: 'bytes=0-99', span: { first: 0, last: 9, partial: true } },
    { header: 'bytes=10-', span: undefined },
    { header: 'bytes=-0', span: undefined },
    { header: 'bytes=5-2', span: { first: 0, last: 9, partial: false } },
    { header: 'bytes=0-1,3-4', span: { first: 0, last: 9, partial: false } },
    { header: 'lines=0-1', span: { first: 0, last: 9, partial: false } },
  ])('reads $header', ({ header, span }) => {
    expect(readRange(header, 10)).toEqual(span);
  });
});
