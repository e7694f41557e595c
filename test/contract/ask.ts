import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { expectDescribed } from './described.ts';
import type { Target } from './target.ts';

export interface Ask {
  readonly method?: string;
  /** Below the target's address, or a whole address. */
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Nothing where the text is no JSON. */
  readonly json: unknown;
}

export async function ask(target: Target, { path, token, ...rest }: Ask): Promise<Answer> {
  const { method = 'GET', headers, body } = rest;
  const response = await fetch(addressOf(target, path), {
    method,
    headers: { ...bearer(token), ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: parseJson(text),
  };
  expectDescribed(target, method, path, answer);
  return answer;
}

/** For what fetch would not send so: the path as it is, headers in order, twice, in any case. */
export async function askRaw(
  target: Target,
  { method = 'GET', path, headers }: { method?: string; path: string; headers: string[] },
): Promise<Answer> {
  const { protocol, hostname, port, host, pathname } = new URL(target.url);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  const wholePath = `${pathname.replace(/\/$/, '')}${path}`;
  const answer = await new Promise<Answer>((resolve, reject) => {
    const request = send(
      { hostname, port, method, path: wholePath, headers: ['Host', host, ...headers] },
      (response) => readAnswer(response).then(resolve, reject),
    );
    request.on('error', reject);
    request.end();
  });
  expectDescribed(target, method, path, answer);
  return answer;
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return { status: response.statusCode ?? 0, headers, text, json: parseJson(text) };
}

export function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Headers carry bytes: text beyond ASCII goes as the bytes of its UTF-8. */
export function utf8Header(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function addressOf(target: Target, path: string): string {
  return path.startsWith('/') ? `${target.url}${path}` : path;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
