import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { FetchError, NonRetryableFetchError } from 'aws-jwt-verify/error';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyFetcher } from '#lib/http/chain/key-fetcher.ts';

let server: Server;
let url: string;
let asked: IncomingMessage[];
let answer: (response: ServerResponse) => unknown;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${Object(server.address()).port}/keys`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const fetchKeys = (options: { maxBytes?: number; attemptMs?: number } = {}) =>
  createKeyFetcher({ send: requestHttp, ...options }).fetch(url);

describe('the keys of an issuer', () => {
  it('are fetched as JSON, whole', async () => {
    answer = (response) => response.write('{"ke', () => response.end('ys":[]}'));
    expect(Buffer.from(await fetchKeys()).toString()).toBe('{"keys":[]}');
    expect(asked.map(({ headers }) => headers.accept)).toEqual(['application/json']);
  });

  it.each([404, 500, 302])('are not asked for again where the answer is %d', async (status) => {
    answer = (response) => response.writeHead(status).end('{"keys":[]}');
    await expect(fetchKeys()).rejects.toThrow(NonRetryableFetchError);
    expect(asked).toHaveLength(1);
  });

  it('are asked for once more where the connection broke, and no more', async () => {
    answer = (response) => response.destroy();
    await expect(fetchKeys()).rejects.toThrow(FetchError);
    expect(asked).toHaveLength(2);
  });

  it('are fetched where the second answer comes', async () => {
    answer = (response) => (asked.length === 1 ? response.destroy() : response.end('{}'));
    expect(Buffer.from(await fetchKeys()).toString()).toBe('{}');
  });

  it('have a bound: an answer without an end is not read into memory', async () => {
    let written = 0;
    answer = (response) => {
      const write = (): void => {
        written += 1000;
        if (!response.destroyed) response.write(' '.repeat(1000), write);
      };
      write();
    };
    await expect(fetchKeys({ maxBytes: 10_000 })).rejects.toThrow('exceeds 10000 bytes');
    expect(written).toBeLessThan(20_000_000);
  });

  it('of exactly that many bytes are taken', async () => {
    answer = (response) => response.end(' '.repeat(10_000));
    expect((await fetchKeys({ maxBytes: 10_000 })).byteLength).toBe(10_000);
  });

  it('are not waited for without an end, and their connections are let go', async () => {
    answer = (response) => response.writeHead(200).write('{');
    await expect(fetchKeys({ attemptMs: 150 })).rejects.toThrow(
      'no complete response within 150 ms',
    );
    await expect
      .poll(() => asked.every(({ socket }) => socket.destroyed), { interval: 5 })
      .toBe(true);
  });
});
