import { createClient, type Slipway } from '#client/src/index.ts';

export interface Connection {
  readonly api: string;
  /** Returns the token, renewed if it is about to expire. */
  readonly token: () => Promise<string>;
}

/** Few, because a person waits and can press a button to try again. */
const retries = 2;

export function openService({ api, token }: Connection): Slipway {
  const ask = rememberAnswers((input, init) => fetch(input, init));
  return createClient({ baseUrl: api, token, retries, fetch: ask });
}

interface Remembered {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
}

/** Leaves out files: the storage tags them too, but their bytes are not text. */
function isJson({ headers }: Response): boolean {
  return /^application\/json\b/.test(headers.get('content-type') ?? '');
}

/** About as many lists and jobs as somebody opens in one visit. */
const mostRemembered = 100;

/**
 * Wraps fetch so that unchanged answers are not sent again (`If-None-Match`). Answers are kept in
 * memory only, because the service sends `no-store`.
 */
export function rememberAnswers(request: typeof fetch): typeof fetch {
  const known = new Map<string, Remembered>();
  return async (input, init = {}) => {
    const key = String(input);
    if ((init.method ?? 'GET') !== 'GET') return request(input, init);
    const before = known.get(key);
    const headers = new Headers(init.headers);
    if (before) headers.set('if-none-match', before.etag);
    const response = await request(input, { ...init, headers, cache: 'no-store' });
    if (response.status === 304 && before) {
      return new Response(before.body, { status: 200, headers: before.headers });
    }
    const etag = response.headers.get('etag');
    if (response.status !== 200 || etag === null || !isJson(response)) return response;
    const body = await response.text();
    known.delete(key);
    known.set(key, { etag, body, headers: response.headers });
    const [oldest] = known.keys();
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
    return new Response(body, { status: 200, headers: response.headers });
  };
}
