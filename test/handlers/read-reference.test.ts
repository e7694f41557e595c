import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/reference/read-reference.ts';
import { SignInEnvironment } from '#lib/config.ts';
import { presentSignIn } from '#lib/http/presenters/present-sign-in.ts';
import type { ApiResponse } from '#lib/http/respond.ts';
import { call } from '../fixtures/call.ts';
import { pathNotFound, readResponse } from '../fixtures/responses.ts';

const kept = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return call(handler, { method, path, headers });
}

function bytesOf({ body = '' }: ApiResponse): Buffer {
  return Buffer.from(body, 'base64');
}

const unpack: Record<string, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  none: (bytes) => bytes,
};

describe('GET /openapi.json', () => {
  it('answers the kept description, without a token', async () => {
    const response = await get('/openapi.json');
    expect(JSON.parse(bytesOf(response).toString())).toEqual(JSON.parse(kept));
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    { accepted: 'gzip, deflate, br, zstd', coding: 'br' },
    { accepted: 'GZIP', coding: 'gzip' },
    { accepted: 'br;q=0, gzip;q=0.5', coding: 'gzip' },
    { accepted: '*', coding: 'br' },
    { accepted: 'br;q=0, *', coding: 'gzip' },
    { accepted: 'identity', coding: 'none' },
    { accepted: 'deflate', coding: 'none' },
    { accepted: '', coding: 'none' },
  ])('packs for "$accepted" as $coding', async ({ accepted, coding }) => {
    const response = await get('/openapi.json', { 'accept-encoding': accepted });
    expect(response.headers?.['content-encoding'] ?? 'none').toBe(coding);
    expect(JSON.parse(String(unpack[coding]?.(bytesOf(response))))).toEqual(JSON.parse(kept));
  });
});

describe('GET /.well-known/oauth-protected-resource', () => {
  it('says where users sign in, without a token', async () => {
    const response = await get('/.well-known/oauth-protected-resource');
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
    });
    expect(JSON.parse(response.body ?? '')).toEqual({
      resource: 'https://slipway.test',
      authorization_servers: ['https://slipway.localhost'],
      scopes_supported: ['openid', 'offline_access'],
      bearer_methods_supported: ['header'],
      resource_documentation: 'https://slipway.test/docs/',
      slipway_sign_in: {
        kind: 'issuer',
        scope: 'openid offline_access',
        audience: 'slipway',
        token: 'access_token',
      },
    });
  });

  const settings = {
    PUBLIC_URL: 'https://jobs.example.org',
    ISSUER: 'https://id.example.org',
    AUDIENCE: 'client',
  };

  it('names the client of the command, and the token that the service accepts', () => {
    const cognito = {
      ...settings,
      COMMAND_CLIENT_ID: 'client',
      COMMAND_SCOPE: 'openid',
      COMMAND_TOKEN: 'id_token',
      COMMAND_REDIRECT_HOST: 'localhost',
    };
    expect(presentSignIn(v.parse(SignInEnvironment, cognito))).toMatchObject({
      authorization_servers: ['https://id.example.org'],
      slipway_sign_in: {
        kind: 'issuer',
        client_id: 'client',
        scope: 'openid',
        token: 'id_token',
        redirect_host: 'localhost',
      },
    });
  });

  it('names no issuer on a laptop that signs users in itself', () => {
    const local = { ...settings, LOCAL_SIGN_IN: 'true' };
    expect(presentSignIn(v.parse(SignInEnvironment, local))).toEqual({
      resource: 'https://jobs.example.org',
      bearer_methods_supported: ['header'],
      resource_documentation: 'https://jobs.example.org/docs/',
      slipway_sign_in: { kind: 'local' },
    });
  });
});

describe('what is served', () => {
  const paths = ['/openapi.json', '/docs/', '/docs/reference.js', '/docs/reference.css'];

  it.each(paths)('%s is not sent again to whoever has it', async (path) => {
    const whole = await get(path, { 'accept-encoding': 'br' });
    const held = { 'accept-encoding': 'br', 'if-none-match': String(whole.headers?.etag) };
    const { statusCode, headers, body } = await get(path, held);
    expect([statusCode, body]).toEqual([304, undefined]);
    const { 'content-type': _, 'content-encoding': __, ...same } = whole.headers ?? {};
    expect(headers).toEqual(same);
    // The other form of the same file is another answer.
    const other = await get(path, { ...held, 'accept-encoding': 'gzip' });
    expect(other.statusCode).toBe(200);
  });

  it.each(paths)('%s has the headers of GET for HEAD, and no body', async (path) => {
    const whole = await get(path);
    expect(await get(path, {}, 'HEAD')).toEqual({ statusCode: 200, headers: whole.headers });
  });

  it.each(['/docs/nothing.js', '/docs/reference.js/map', '/openapi.json/x'])(
    '%s is not there',
    async (path) => {
      expect(readResponse(await get(path))).toEqual(pathNotFound);
    },
  );
});

describe('the page', () => {
  it('runs only what this service serves: no inline scripts and no other hosts', async () => {
    const { headers = {} } = await get('/docs/');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
  });

  it('has no script or style in itself, and names what is kept for good by its content', async () => {
    const page = bytesOf(await get('/docs/')).toString();
    expect(page).not.toMatch(/<style|style=|<script[^>]*>[^<]|\son\w+=|https?:/);
    const named = [...page.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, at]) => at);
    expect(named).toEqual([
      expect.stringMatching(/^\/docs\/reference\.css\?v=[\w-]{12}$/),
      expect.stringMatching(/^\/docs\/reference\.js\?v=[\w-]{12}$/),
    ]);
  });

  it.each([
    {
      path: '/docs/reference.js',
      type: 'text/javascript; charset=utf-8',
      holds: 'const contents = {"listJobs":',
    },
    { path: '/docs/reference.css', type: 'text/css; charset=utf-8', holds: '--accent-ground:' },
  ])('is drawn by $path, which is kept for a year', async ({ path, type, holds }) => {
    const { headers, ...rest } = await get(path);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const text = bytesOf(rest).toString();
    expect(text).toContain(holds);
    expect(text).not.toContain('/* contents */');
  });
});

describe('GET /docs/', () => {
  it('has an anchor for every problem that the service can answer with', async () => {
    const page = bytesOf(await get('/docs/')).toString();
    const names = [...kept.matchAll(/urn:slipway:problem:([a-z-]+)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBeGreaterThan(40);
    for (const name of new Set(names)) expect(page).toContain(`id="problem-${name}"`);
    expect(page).toContain('<a href="/openapi.json">');
    expect(page).not.toContain('<!-- problems');
  });
});
