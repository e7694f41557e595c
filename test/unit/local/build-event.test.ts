import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressAt } from '#lib/http/respond.ts';
import { buildEvent, withBody } from '#local/gateway/build-event.ts';

interface Sent {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: Buffer;
}

/** The event of a request as Node's server hands it over. */
function event({ method = 'GET', url, headers = {}, body = Buffer.alloc(0) }: Sent) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url, httpVersion: '1.1' });
  Object.defineProperty(request, 'headersDistinct', { value: headers });
  const addresses = ['http://localhost:3000', 'http://127.0.0.1:3000', 'https://slipway.example'];
  const [first = '', ...others] = addresses;
  const built = buildEvent(request, 'GET /jobs/{proxy+}', [
    new URL(first),
    ...others.map((other) => new URL(other)),
  ]);
  return withBody(built, [body]);
}

describe('buildEvent', () => {
  it('makes an event of payload format 2.0', () => {
    const headers = { host: ['localhost:3000'], 'user-agent': ['curl'], accept: ['a', 'b'] };
    expect(event({ url: '/jobs/hpc_one/?limit=1&title=a%20b', headers })).toEqual({
      version: '2.0',
      routeKey: 'GET /jobs/{proxy+}',
      rawPath: '/jobs/hpc_one/',
      rawQueryString: 'limit=1&title=a%20b',
      headers: {
        host: 'localhost:3000',
        'user-agent': 'curl',
        accept: 'a,b',
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { limit: '1', title: 'a b' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'localhost:3000',
        domainPrefix: 'local',
        http: {
          method: 'GET',
          path: '/jobs/hpc_one/',
          protocol: 'HTTP/1.1',
          sourceIp: expect.any(String),
          userAgent: 'curl',
        },
        requestId: expect.stringMatching(/^[\w-]{16}$/),
        routeKey: 'GET /jobs/{proxy+}',
        stage: '$default',
        time: expect.any(String),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
  });

  it.each([
    { host: 'localhost:3000', address: 'http://localhost:3000' },
    { host: '127.0.0.1:3000', address: 'http://127.0.0.1:3000' },
    { host: 'slipway.example', address: 'https://slipway.example' },
    { host: 'attacker.example', address: 'http://localhost:3000' },
    { host: 'localhost:4000', address: 'http://localhost:3000' },
  ])(
    "names one of the service's own addresses to a caller with Host $host",
    ({ host, address }) => {
      const made = event({ url: '/', headers: { host: [host] } });
      expect(addressAt(made, '')).toBe(address);
    },
  );

  it.each([
    { url: '/', rawPath: '/' },
    { url: '/jobs', rawPath: '/jobs' },
    { url: '/jobs//', rawPath: '/jobs//' },
    { url: '//jobs/', rawPath: '//jobs/' },
    { url: '/jobs/a%23b/', rawPath: '/jobs/a#b/' },
    { url: '/jobs/a%2Fb/', rawPath: '/jobs/a/b/' },
    { url: '/jobs/%E7%B4%B0/', rawPath: '/jobs/細/' },
    { url: '/jobs/%E7/', rawPath: '/jobs/%E7/' },
    { url: '/jobs/%/', rawPath: '/jobs/%/' },
    { url: '/jobs/?a=%2F', rawPath: '/jobs/' },
  ])('decodes the path of $url, and survives what cannot be decoded', ({ url, rawPath }) => {
    expect(event({ url }).rawPath).toBe(rawPath);
  });

  it('gives every request an id of its own', () => {
    const ids = Array.from({ length: 100 }, () => event({ url: '/' }).requestContext.requestId);
    expect(new Set(ids).size).toBe(100);
  });

  it.each([
    { type: undefined, encoded: true },
    { type: 'application/zip', encoded: true },
    { type: 'application/octet-stream', encoded: true },
    { type: 'multipart/form-data; boundary=x', encoded: true },
    { type: 'application/x-www-form-urlencoded', encoded: true },
    { type: 'text/plain', encoded: false },
    { type: 'application/json', encoded: false },
    { type: 'Application/JSON; charset=utf-8', encoded: false },
    { type: 'application/problem+json', encoded: false },
    { type: 'application/xml', encoded: false },
  ])('encodes a body of $type in base64: $encoded', ({ type, encoded }) => {
    const headers = type === undefined ? {} : { 'content-type': [type] };
    const made = event({ method: 'POST', url: '/jobs/', headers, body: Buffer.from('PK') });
    expect(made.isBase64Encoded).toBe(encoded);
    expect(made.body).toBe(encoded ? 'UEs=' : 'PK');
  });

  it('keeps every byte of a binary body', () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const made = event({ method: 'POST', url: '/', body });
    expect(Buffer.from(made.body ?? '', 'base64')).toEqual(body);
  });
});
