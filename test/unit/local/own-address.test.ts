import { createServer, request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedDynamoDb, startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { type Gateway, startGateway } from '#local/gateway/start-gateway.ts';
import { type Listening, listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { isOwnHost, isOwnOrigin } from '#local/loopback/own-address.ts';

const others = ['https://jobs.example.org', 'http://localhost:5173'];

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends headers that `fetch` does not let a program choose. */
function ask(url: string, headers: Record<string, string>, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      { method, headers: { connection: 'close', ...headers } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      },
    );
    request.on('error', reject);
    request.end();
  });
}

describe('the own addresses of a server', () => {
  let listening: Listening;
  let port: string;

  beforeAll(async () => {
    const server = createServer((request, response) => {
      response.end(JSON.stringify([isOwnHost(request, others), isOwnOrigin(request, others)]));
    });
    listening = await listenOnLoopback(server, 0);
    ({ port } = new URL(listening.endpoint));
  });
  afterAll(() => listening.close());

  const check = async (headers: Record<string, string>) =>
    JSON.parse((await ask(listening.endpoint, headers)).text);

  it('are the names of this machine with the right port, and the others', async () => {
    for (const host of [
      `localhost:${port}`,
      `LOCALHOST:${port}`,
      `127.0.0.1:${port}`,
      '127.0.0.1:1',
      'jobs.example.org',
      'jobs.example.org:443',
      'localhost:5173',
    ]) {
      expect([host, ...(await check({ host }))]).toEqual([host, true, true]);
    }
  });

  it('are no other hosts', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `evil.localhost:${port}`,
      'localhost',
      'localhost:1',
      'jobs.example.org:80',
      'jobs.example.org.evil.example',
      `127.0.0.1:${port}@evil.example`,
    ]) {
      expect([host, ...(await check({ host }))]).toEqual([host, false, true]);
    }
  });

  it('are the origins of pages that may call', async () => {
    const good = [`http://localhost:${port}`, `http://127.0.0.1:${port}`, ...others];
    const bad = [
      'null',
      '',
      'https://evil.example',
      'http://localhost:1',
      `https://localhost:${port}`,
      'http://jobs.example.org',
      'https://jobs.example.org.evil.example',
    ];
    for (const origin of good)
      expect([origin, ...(await check({ origin }))]).toEqual([origin, true, true]);
    for (const origin of bad)
      expect([origin, ...(await check({ origin }))]).toEqual([origin, true, false]);
  });
});

describe('the gateway before a name that was rebound to this machine', () => {
  let gateway: Gateway;
  const asked: string[] = [];

  beforeAll(async () => {
    const answer = async () => {
      asked.push('function');
      return { statusCode: 200, body: 'x' };
    };
    gateway = await startGateway({
      handlers: new Map([['$default', answer]]),
      port: 0,
      slashes: 'exact',
      publicUrl: 'https://jobs.example.org/slipway',
    });
  });
  afterAll(() => gateway.close());

  it('refuses it as a problem, before a function is asked', async () => {
    const { port } = new URL(gateway.url);
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, text } = await ask(gateway.url, { host: `evil.example:${port}` }, method);
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
        detail: `The Host header names another host. Use ${gateway.url}, or start the service with PUBLIC_URL set to the address that you use.`,
      });
    }
    expect(asked).toEqual([]);
  });

  it('serves the public address and its pages', async () => {
    const host = 'jobs.example.org';
    expect(await ask(gateway.url, { host })).toMatchObject({ status: 200 });
    expect(await ask(gateway.url, { host, origin: `https://${host}` })).toMatchObject({
      status: 200,
    });
    expect(asked).toEqual(['function', 'function']);
  });
});

describe('the embedded DynamoDB', () => {
  let database: EmbeddedDynamoDb;

  beforeAll(async () => {
    database = await startEmbeddedDynamoDb();
  });
  afterAll(() => database.close());

  const list = (headers: Record<string, string>) =>
    ask(
      database.endpoint,
      {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        'content-length': '0',
        ...headers,
      },
      'POST',
    );

  it('refuses other names and every web page', async () => {
    const { port } = new URL(database.endpoint);
    expect(await list({ host: `evil.example:${port}` })).toMatchObject({
      status: 403,
      text: expect.stringContaining('The Host header names another host.'),
    });
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000']) {
      expect(await list({ origin })).toMatchObject({
        status: 403,
        text: expect.stringContaining('Pages of other origins are not served.'),
      });
    }
  });

  it('serves programs', async () => {
    expect((await list({})).status).not.toBe(403);
    expect((await list({ host: new URL(database.endpoint).host })).status).not.toBe(403);
  });
});
