import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApiResponse } from '#lib/http/respond.ts';
import {
  type AnswerApart,
  type Gateway,
  type HandlersByKey,
  startGateway,
} from '#local/gateway/start-gateway.ts';
import { LineFullError, WaitingLine } from '#local/gateway/waiting-line.ts';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

/** What a client gets of what a function answers. */
async function pass(answer: ApiResponse): Promise<Response> {
  const handlers = new Map([['$default', async () => answer]]);
  gateway = await startGateway({ handlers, port: 0, slashes: 'exact' });
  return fetch(gateway.url, { redirect: 'manual', headers: { connection: 'close' } });
}

/** Of a connection that is kept, what the server promises of it. */
async function askKept(url: string): Promise<string | null> {
  const response = await fetch(url);
  await response.text();
  return response.headers.get('keep-alive');
}

describe('the gateway', () => {
  it('says nothing of a client that hangs up in the middle of its body', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => written.mockRestore());
    const handlers = new Map([['$default', async () => ({ statusCode: 200, body: '' })]]);
    gateway = await startGateway({ handlers, port: 0, slashes: 'exact' });
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) });
    const head = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n';
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    // The gateway reads the body from here on.
    await once(socket, 'data');
    socket.destroy();
    await gateway.close();
    await nextTurn();
    expect(written).not.toHaveBeenCalled();
  });

  it('lets a client that is still sending hear that its headers are too long', async () => {
    gateway = await startGateway({ handlers: new Map(), port: 0, slashes: 'exact' });
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) });
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nPayload: ${'x'.repeat(12_000)}\r\n`;
    socket.write(`${head}Content-Length: ${5e6}\r\n\r\n`);
    socket.end(Buffer.alloc(5e6));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"message":"Request Header Fields Too Large"\}$/);
  });

  it('refuses what is not HTTP', async () => {
    gateway = await startGateway({ handlers: new Map(), port: 0, slashes: 'exact' });
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) });
    socket.end('hello\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it.each([
    '/jobs/?limit=1',
    'http://127.0.0.1:3000/jobs/?limit=1',
    'HTTPS://a.example/jobs/?limit=1',
  ])('takes the target %s for the path that it has', async (target) => {
    const handlers: HandlersByKey = new Map([
      [
        '$default',
        async ({ rawPath, rawQueryString }) => ({
          statusCode: 200,
          body: `${rawPath} ${rawQueryString}`,
        }),
      ],
    ]);
    gateway = await startGateway({ handlers, port: 0, slashes: 'exact' });
    const { port } = new URL(gateway.url);
    const asked = request({ host: '127.0.0.1', port, path: target }).end();
    const [answer] = await once(asked, 'response');
    expect(await text(answer)).toBe('/jobs/ limit=1');
  });

  it('answers every request of a burst, or refuses it early with Retry-After', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const handlers = new Map([
      [
        '$default',
        async () => {
          await opened;
          return { statusCode: 201, body: 'x' };
        },
      ],
    ]);
    const line = new WaitingLine({ atOnce: 4, longestWaitMs: 60, mostBytes: 1e6 });
    gateway = await startGateway({ handlers, port: 0, slashes: 'exact', line });
    const { url } = gateway;
    const asked = Array.from({ length: 100 }, () =>
      fetch(url, { method: 'POST', body: 'zip', headers: { connection: 'close' } }),
    );
    // Most are refused while nobody has got an answer yet.
    const first = await Promise.race(asked);
    expect(first.status).toBe(503);
    open();
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(4);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 503]));
    for (const refusal of refused) {
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refusal.json()).toMatchObject({ type: 'urn:slipway:problem:busy', status: 503 });
    }
  });

  it('answers requests that came before its functions were loaded, and logs no query', async () => {
    const { promise, resolve } = Promise.withResolvers<HandlersByKey>();
    const lines: string[] = [];
    gateway = await startGateway({
      handlers: promise,
      port: 0,
      slashes: 'exact',
      onAnswer: ({ method, path, status }) => lines.push(`${method} ${path} ${status}`),
    });
    const asked = fetch(`${gateway.url}/handover/A/input/?pass=SECRET`, {
      headers: { connection: 'close' },
    });
    resolve(new Map([['$default', async () => ({ statusCode: 200, body: 'here' })]]));
    expect(await (await asked).text()).toBe('here');
    expect(lines).toEqual(['GET /handover/A/input/ 200']);
  });

  it('passes on every byte of an encoded answer', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const response = await pass({
      statusCode: 200,
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    });
    expect(response.headers.get('content-length')).toBe('256');
    expect(Buffer.from(await response.bytes()).equals(bytes)).toBe(true);
  });

  it.each([
    { what: 'base64', isBase64Encoded: true, letter: 'A', escaped: 1 },
    { what: 'text', isBase64Encoded: false, letter: '"', escaped: 2 },
  ])('passes on $what up to 6 MB as JSON, and no more', async (each) => {
    const { isBase64Encoded, letter, escaped } = each;
    const empty = { statusCode: 200, headers: {}, isBase64Encoded, body: '' };
    const room = 6 * 1024 * 1024 - JSON.stringify(empty).length;
    const longest = Math.floor(room / escaped / 4) * 4;
    const fits = await pass({ ...empty, body: letter.repeat(longest) });
    expect(fits.status).toBe(200);
    expect((await fits.arrayBuffer()).byteLength).toBe((longest * (isBase64Encoded ? 3 : 4)) / 4);
    await gateway?.close();
    const written = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => written.mockRestore());
    expect((await pass({ ...empty, body: letter.repeat(longest + 4) })).status).toBe(500);
    const lengths = written.mock.results.map(({ value }) => value?.length ?? 0);
    // Others would wait while megabytes of base64 are serialized.
    if (isBase64Encoded) expect(Math.max(...lengths)).toBeLessThan(10_000);
  });

  it('hands batches and large bodies to the thread for them, in pieces, by caller', async () => {
    const handed: (readonly [string, string, number])[] = [];
    const apart: AnswerApart = async (owner, { event, pieces, bytes }) => {
      expect(event.body).toBeUndefined();
      expect(Buffer.concat(pieces)).toHaveLength(bytes);
      handed.push([owner, event.routeKey, bytes]);
      return { statusCode: 201, body: 'apart' };
    };
    const here = async () => ({ statusCode: 200, body: 'here' });
    const handlers = new Map([
      ['$default', here],
      ['POST /batches/{proxy+}', here],
    ]);
    gateway = await startGateway({ handlers, port: 0, slashes: 'exact', apart });
    const { url } = gateway;
    const ask = async (path: string, length: number, method = 'POST') => {
      const headers = { authorization: 'Bearer a', connection: 'close' };
      const body = method === 'GET' ? null : 'x'.repeat(length);
      return (await fetch(`${url}${path}`, { method, headers, body })).text();
    };
    expect(await ask('/batches/hpc_one/', 0)).toBe('apart');
    expect(await ask('/jobs/hpc_one/', 200_000)).toBe('apart');
    expect(await ask('/jobs/hpc_one/', 60_000)).toBe('here');
    expect(await ask('/batches/hpc_one/', 0, 'GET')).toBe('here');
    expect(handed).toEqual([
      ['Bearer a', 'POST /batches/{proxy+}', 0],
      ['Bearer a', '$default', 200_000],
    ]);
  });

  it('refuses what the thread for large requests has no place for, with Retry-After', async () => {
    const handlers = new Map([['$default', async () => ({ statusCode: 200, body: 'here' })]]);
    const apart: AnswerApart = () => Promise.reject(new LineFullError(2_000));
    gateway = await startGateway({ handlers, port: 0, slashes: 'exact', apart });
    const refusal = await fetch(`${gateway.url}/batches/hpc_one/`, {
      method: 'POST',
      headers: { connection: 'close' },
    });
    expect(refusal.status).toBe(503);
    expect(refusal.headers.get('retry-after')).toBe('2');
  });

  it('keeps connections for longer than clients do', async () => {
    const handlers = new Map([['$default', async () => ({ statusCode: 200, body: 'x' })]]);
    gateway = await startGateway({ handlers, port: 0, slashes: 'exact' });
    expect(await askKept(gateway.url)).toBe('timeout=120');
  });

  it('closes once the open request is answered', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<ApiResponse>();
    const wait = () => {
      begin();
      return answered;
    };
    const handlers = new Map([['$default', wait]]);
    const opened = await startGateway({ handlers, port: 0, slashes: 'exact' });
    const asked = askKept(opened.url);
    await begun;
    const closed = opened.close();
    answer({ statusCode: 200, body: 'x' });
    await asked;
    await closed;
  });

  it('passes on an answer without a body, and does not follow its address', async () => {
    const response = await pass({ statusCode: 303, headers: { location: 'http://other.test/a' } });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('http://other.test/a');
    expect(response.headers.get('content-type')).toBeNull();
    expect(await response.text()).toBe('');
  });

  it.each([
    { length: 4_500_000, status: 200 },
    { length: 4_800_000, status: 500 },
  ])('answers $status to $length encoded bytes: a function can say no more', async (each) => {
    const body = Buffer.alloc(each.length).toString('base64');
    const response = await pass({ statusCode: 200, body, isBase64Encoded: true });
    expect(response.status).toBe(each.status);
  });
});
