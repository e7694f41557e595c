import { crossOrigin } from '#lib/http/cross-origin.ts';
import type { AskingPage } from './asking-page.ts';

/**
 * What a browser asks before it sends. An HTTP API that allows any origin answers it itself, for
 * every path, and says nothing of use to those that it does not allow.
 */
export function isPreflight(
  { method, origin, wanted }: AskingPage,
  origins: readonly string[],
): boolean {
  return method === 'OPTIONS' && origins.length > 0 && origin !== undefined && wanted !== undefined;
}

/** What an HTTP API adds to an answer for a page of an origin that may have it. */
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
