import { crossOriginStorage } from '#lib/http/cross-origin.ts';
import type { AskingPage } from './asking-page.ts';

/** What S3 adds to an answer for a page, by the rules that the buckets have on AWS. */
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
