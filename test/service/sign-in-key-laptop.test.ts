import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '#local/start-service.ts';

const publicUrl = 'https://jobs.example.org';
const page = 'https://portal.example.org';

let service: Service;
let directory: string;
let key: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
  service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: directory,
    publicUrl,
    corsOrigins: [page],
  });
  key = readFileSync(join(directory, 'key'), 'utf8').trim();
});

afterAll(async () => {
  await service.close();
  rmSync(directory, { recursive: true });
});

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends headers that `fetch` does not let a program choose. Returns the status and the text. */
function ask(path: string, { method = 'GET', headers = {}, body = '' }: Asked = {}) {
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const request = send(`${service.url}${path}`, { method, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve([answer.statusCode, text]));
    });
    request.on('error', reject);
    request.end(body);
  });
}

function signIn(headers: Readonly<Record<string, string>>) {
  const json = { 'content-type': 'application/json' };
  const body = '{"user":"306328"}';
  return ask('/local/token', { method: 'POST', headers: { ...json, ...headers }, body });
}

describe('signing in at the whole service', () => {
  it('needs the key that the address of the console has', async () => {
    expect(service.consoleUrl).toBe(`${service.url}/console/#key=${key}`);
    const [status, text] = await signIn({ 'slipway-key': key });
    expect(status).toBe(200);
    const authorization = `Bearer ${JSON.parse(text).access_token}`;
    expect((await ask('/quotas/', { headers: { authorization } }))[0]).toBe(200);
    for (const given of [{}, { 'slipway-key': key.slice(1) }, { authorization: `Bearer ${key}` }]) {
      expect((await signIn(given))[0]).toBe(401);
    }
  });

  it('does not work under the public address or from a page there', async () => {
    const host = new URL(publicUrl).host;
    expect((await signIn({ host, 'slipway-key': key }))[0]).toBe(403);
    expect((await signIn({ origin: publicUrl, 'slipway-key': key }))[0]).toBe(403);
    expect((await signIn({ origin: page, 'slipway-key': key }))[0]).toBe(403);
  });
});

describe('the whole service', () => {
  it.each(['/status/', '/console/', '/console/config.json', '/storage/slipway-results/x'])(
    'refuses other hosts and pages at %s',
    async (path) => {
      for (const host of ['evil.example', `evil.example:${new URL(service.url).port}`]) {
        const [status, text] = await ask(path, { headers: { host } });
        expect([status, JSON.parse(text).title]).toEqual([403, 'Forbidden']);
      }
      const [status, text] = await ask(path, { headers: { origin: 'https://evil.example' } });
      expect(status).toBe(403);
      expect(text).toContain('Pages of this origin may not use');
    },
  );

  it.each<[string, Record<string, string>]>([
    ['a program', {}],
    ['the console', { origin: 'http://localhost' }],
    ['a job that calls the public address', { host: 'jobs.example.org' }],
    ['the console at the public address', { host: 'jobs.example.org', origin: publicUrl }],
    ['a page that may call', { origin: page }],
  ])('serves %s', async (_, headers) => {
    const { port } = new URL(service.url);
    const own = headers.origin === 'http://localhost' ? { origin: `http://localhost:${port}` } : {};
    const [status] = await ask('/status/', { headers: { ...headers, ...own } });
    expect(status).toBe(200);
  });
});
