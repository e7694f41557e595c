import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** RFC 8288: the same address with the cursor of the next page; nothing where there is none. */
export function linkToPage(
  event: APIGatewayProxyEventV2,
  cursor: string | undefined,
): Record<string, string> {
  if (cursor === undefined) return {};
  const scheme = event.headers['x-forwarded-proto'] ?? 'https';
  const query = new URLSearchParams(event.rawQueryString);
  query.set('cursor', cursor);
  const address = `${scheme}://${event.requestContext.domainName}${event.rawPath}?${query}`;
  return { link: `<${address}>; rel="next"` };
}
