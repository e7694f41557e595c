import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { addressAt } from '../address-at.ts';

/** RFC 8288: the same address with the cursor of the next page; nothing where there is none. */
export function linkToPage(
  event: APIGatewayProxyEventV2,
  cursor: string | undefined,
): Record<string, string> {
  if (cursor === undefined) return {};
  const query = new URLSearchParams(event.rawQueryString);
  query.set('cursor', cursor);
  return { link: `<${addressAt(event, `${event.rawPath}?${query}`)}>; rel="next"` };
}
