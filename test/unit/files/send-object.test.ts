import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { retryPolicy } from '#lib/files/storage/call-storage.ts';
import { openObjectStore } from '#lib/files/storage/object-store.ts';
import { openBytes } from '#test/fixtures/byte-streams.ts';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let seen: Seen[] = [];
/** The storage's answers, one after the other. The last one is repeated. */
let statuses: (number | 'silence' | 'hang up')[] = [];

beforeEach(async () => {
  seen = [];
  statuses = [200];
  server = createServer(async (request, response) => {
    const status = statuses[Math.min(seen.length, statuses.length - 1)];
    let body = '';
    for await (const piece of request) body += piece;
    seen.push({ headers: request.headers, body });
    if (status === 'hang up') request.socket.destroy();
    if (typeof status !== 'number') return;
    response.writeHead(status, { location: '/elsewhere' }).end('<Code>Why</Code>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function openStore(change: Partial<typeof retryPolicy> = {}) {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const settings = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKID',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
  };
  return openObjectStore('bucket', settings, { ...retryPolicy, baseMs: 1, ...change });
}

const createSource = () => ({ open: vi.fn(async () => openBytes(Buffer.from('abc'))) });

describe('an object that is sent piece by piece', () => {
  it('signs its length, but not its content', async () => {
    await openStore().putFrom('a', createSource());
    const [{ headers, body } = { headers: {}, body: '' }] = seen;
    expect(body).toBe('abc');
    expect(headers).toMatchObject({
      'content-length': '3',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      authorization: expect.stringMatching(/SignedHeaders=content-length;host;/),
    });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  it.each([500, 503, 'hang up' as const])('is opened and sent again after %s', async (fault) => {
    statuses = [fault, fault, 200];
    const source = createSource();
    await openStore().putFrom('a', source);
    expect(source.open).toHaveBeenCalledTimes(3);
    expect(seen.map(({ body }) => body)).toEqual(['abc', 'abc', 'abc']);
  });

  it('is given up after three tries, or without a response', async () => {
    statuses = [503];
    await expect(openStore().putFrom('a', createSource())).rejects.toThrow(StorageUnavailableError);
    expect(seen).toHaveLength(3);
    statuses = ['silence'];
    const impatient = openStore({ answerMs: 30, tries: 1 });
    await expect(impatient.putFrom('a', createSource())).rejects.toMatchObject({
      cause: { message: 'PUT: no answer in time' },
    });
  });

  it.each([307, 403])('is not sent again after the status %i', async (status) => {
    statuses = [status];
    await expect(openStore().putFrom('a', createSource())).rejects.toThrow(
      `The storage answered PUT with ${status} (Why).`,
    );
    expect(seen).toHaveLength(1);
  });

  it('is not sent again if its source fails', async () => {
    const failure = new Error('gone');
    const pull = (controller: ReadableStreamDefaultController) => controller.error(failure);
    const open = vi.fn(async () => ({
      bytes: 3,
      stream: new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }),
    }));
    await expect(openStore().putFrom('a', { open })).rejects.toBe(failure);
    expect(open).toHaveBeenCalledOnce();
    await expect(openStore().putFrom('a', { open: () => Promise.reject(failure) })).rejects.toBe(
      failure,
    );
  });
});
