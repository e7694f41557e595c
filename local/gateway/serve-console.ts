import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { ConsoleConfig } from '#console/serving/console-config.ts';
import { cachingOf, pageHeaders, writePolicy } from '#console/serving/console-headers.ts';
import { prefersPage } from '#lib/http/parsers/accept.ts';
import { type ApiResponse, leadTo } from '#lib/http/respond.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

export interface ConsoleOptions {
  readonly folder: string;
  readonly config: ConsoleConfig;
  /** Origins that pages may also connect to: the storage, and the issuer. */
  readonly origins: readonly string[];
}

/**
 * Serves `GET /console/...`: files of the console, and its single page for every other path.
 * Redirects browsers that open `/` to the console.
 */
export function serveConsole(
  { folder, config, origins }: ConsoleOptions,
  { rawPath, requestContext, headers }: APIGatewayProxyEventV2,
): ApiResponse | undefined {
  const { method } = requestContext.http;
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && rawPath === '/' && prefersPage(headers.accept)) return leadTo('/console/');
  if (rawPath === '/console') return { statusCode: 308, headers: { location: '/console/' } };
  if (!rawPath.startsWith('/console/')) return undefined;
  if (!reads) return { statusCode: 405, headers: { allow: 'GET' } };
  const send = (name: string, body: string) => ({
    statusCode: 200,
    headers: {
      ...pageHeaders,
      'content-security-policy': writePolicy(origins),
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': name.startsWith('assets/') ? cachingOf.hashed : cachingOf.others,
    },
    body,
  });
  const name = rawPath.slice('/console/'.length);
  if (name === 'config.json') return send(name, JSON.stringify(config));
  if (/^(assets\/)?[\w-]+\.\w+$/.test(name)) {
    const file = join(folder, name);
    return existsSync(file)
      ? send(name, readFileSync(file, 'utf8'))
      : { statusCode: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
  }
  return sendPage(folder, send);
}

function sendPage(folder: string, send: (name: string, body: string) => ApiResponse): ApiResponse {
  const page = join(folder, 'index.html');
  if (existsSync(page)) return send('index.html', readFileSync(page, 'utf8'));
  return {
    statusCode: 503,
    headers: { 'content-type': 'text/plain' },
    body: 'The console is not built. Run: npm run console:build',
  };
}
