import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serveConsole } from '#local/gateway/serve-console.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-console-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html>');
writeFileSync(join(folder, 'assets/start-A1B2.js'), 'start()');
writeFileSync(join(folder, '..', 'secret.txt'), 'secret');
afterAll(() => rmSync(folder, { recursive: true }));

const storage = 'http://127.0.0.1:9000';
const config = { api: '', signIn: 'laptop' } as const;

function ask(path: string, method = 'GET', from = folder) {
  return serveConsole({ folder: from, config, origins: [storage] }, apiEvent({ method, path }));
}

describe('the console of the laptop edition', () => {
  it.each(['/console/', '/console/jobs/', '/console/jobs/hpc_one/proj/A-1/'])(
    'shows its page at %s, anew each time',
    (path) => {
      expect(ask(path)).toMatchObject({
        statusCode: 200,
        body: '<!doctype html>',
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      });
    },
  );

  it('lets a page do nothing but what it needs', () => {
    const { headers } = ask('/console/') ?? {};
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(headers?.['content-security-policy']);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src 'self' ${storage};`);
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('hands out what is named by its content for ever', () => {
    expect(ask('/console/assets/start-A1B2.js')).toMatchObject({
      statusCode: 200,
      body: 'start()',
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
  });

  it('says how one signs in', () => {
    expect(JSON.parse(ask('/console/config.json')?.body ?? '')).toEqual({
      api: '',
      signIn: 'laptop',
    });
  });

  it.each([
    '/console/../secret.txt',
    '/console/assets/../../secret.txt',
    '/console/..%2Fsecret.txt',
    '/console/assets/missing.js',
  ])('has nothing at %s', (path) => {
    const answer = ask(path);
    expect(answer?.body ?? '').not.toContain('secret');
    expect(answer?.body ?? '').not.toContain('start()');
  });

  it('is read alone, and only below its own path', () => {
    expect(ask('/console/', 'POST')).toMatchObject({ statusCode: 405 });
    expect(ask('/console')).toMatchObject({ statusCode: 308, headers: { location: '/console/' } });
    expect(ask('/jobs/')).toBeUndefined();
    expect(ask('/consoles/')).toBeUndefined();
  });

  it('says how it is built, where it is not', () => {
    const answer = ask('/console/', 'GET', join(folder, 'nowhere'));
    expect(answer).toMatchObject({
      statusCode: 503,
      body: 'The console is not built. Run: npm run console:build',
    });
  });
});

describe('the address of the service itself', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const open = (accept?: string, method = 'GET') =>
    serveConsole(
      { folder, config, origins: [storage] },
      apiEvent({ method, path: '/', headers: accept === undefined ? {} : { accept } }),
    );

  it('leads a browser to the console', () => {
    expect(open(browser)).toMatchObject({ statusCode: 303, headers: { location: '/console/' } });
  });

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html'])(
    'is the API to whoever accepts %s',
    (accept) => expect(open(accept)).toBeUndefined(),
  );

  it('is the API to whoever sends something', () => {
    expect(open(browser, 'POST')).toBeUndefined();
  });
});
