import { createClient, type Slipway } from '#client/src/index.ts';

export interface Connection {
  readonly api: string;
  /** The token, or a fresh one where it is about to end. */
  readonly token: () => Promise<string>;
}

/** A person waits: what fails is told, with a button to try again, and not tried for a minute. */
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

/** The bytes of a file have a tag too where the storage sends them, and are nobody's text. */
function isJson({ headers }: Response): boolean {
  return /^application\/json\b/.test(headers.get('content-type') ?? '');
}

/** As many lists and jobs as one looks at in a while. */
const mostRemembered = 100;

/**
 * A fetch that asks whether an answer still holds, and hands out the one it has where it does: what
 * has not changed is not sent again. In memory alone, as the answers' `no-store` wants it.
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
