import { crossOrigin, crossOriginStorage } from '#lib/http/cross-origin.ts';

/** The origin and method of a request from a web page. */
export interface AskingPage {
  readonly method: string;
  readonly origin: string | undefined;
  /** The method announced by a preflight. */
  readonly wanted: string | undefined;
}

interface AnyRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export function readAskingPage({ method = 'GET', headers }: AnyRequest): AskingPage {
  const text = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { method, origin: text('origin'), wanted: text('access-control-request-method') };
}

/**
 * Whether the request is a preflight. If any origin is allowed, an HTTP API answers preflights
 * itself, for every path. Origins that are not allowed get no CORS headers.
 */
export function isPreflight(
  { method, origin, wanted }: AskingPage,
  origins: readonly string[],
): boolean {
  return method === 'OPTIONS' && origins.length > 0 && origin !== undefined && wanted !== undefined;
}

/** Returns the headers that an HTTP API adds for a page of an allowed origin. */
export function allowAtGateway(
  asking: AskingPage,
  origins: readonly string[],
): Record<string, string> {
  const { origin } = asking;
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': crossOrigin.exposed.join(','),
    vary: 'Origin',
    ...(isPreflight(asking, origins) && {
      'access-control-allow-methods': crossOrigin.methods.join(','),
      'access-control-allow-headers': crossOrigin.headers.join(','),
      'access-control-max-age': String(crossOrigin.maxAgeSeconds),
    }),
  };
}

/** Returns the headers that S3 adds for a page, by the rules of the buckets on AWS. */
export function allowAtStorage(
  { method, origin, wanted }: AskingPage,
  origins: readonly string[],
): Record<string, string> {
  if (origin === undefined) return {};
  const { sent, fetched, exposed, maxAgeSeconds } = crossOriginStorage;
  const asked = method === 'OPTIONS' ? wanted : method;
  const rule = [
    { ...sent, origins },
    { ...fetched, origins: [origin] },
  ].find(({ methods, origins: allowed }) => includes(methods, asked) && allowed.includes(origin));
  if (!rule) return {};
  return {
    'access-control-allow-origin': includes(sent.methods, asked) ? origin : '*',
    'access-control-allow-methods': rule.methods.join(', '),
    'access-control-expose-headers': exposed.join(', '),
    vary: 'Origin',
    ...(method === 'OPTIONS' && {
      'access-control-allow-headers': rule.headers.join(', '),
      'access-control-max-age': String(maxAgeSeconds),
    }),
  };
}

function includes(list: readonly string[], text: string | undefined): boolean {
  return text !== undefined && list.includes(text);
}
