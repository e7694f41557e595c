import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { create as createDisposition } from 'content-disposition';

export type ApiResponse = APIGatewayProxyStructuredResultV2;

type Headers = Readonly<Record<string, string>>;

export function ok(body: unknown): ApiResponse {
  return respond(200, body);
}

/** Sends a body that is JSON text already. */
export function okText(body: string, headers: Headers): ApiResponse {
  return respondText(200, body, headers);
}

export function created(body: unknown, location: string): ApiResponse {
  return respond(201, body, { location });
}

/** Marks the repeated response to an earlier request, so that clients can count what they made. */
export function replayed(response: ApiResponse): ApiResponse {
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}

/** Sends a job's file as a download, so that browsers never show it as a page of this service. */
export function okFile(name: string, bytes: Uint8Array, headers: Headers = {}): ApiResponse {
  const body = Buffer.from(bytes).toString('base64');
  const file = downloadAs(name, { 'content-type': 'application/octet-stream', ...headers });
  return { ...file, body, isBase64Encoded: true };
}

/** Sends a table for a spreadsheet (RFC 4180). */
export function okCsv(name: string, text: string, headers: Headers): ApiResponse {
  const type = 'text/csv; charset=utf-8; header=present';
  return { ...downloadAs(name, { 'content-type': type, ...headers }), body: text };
}

function downloadAs(name: string, headers: Headers): ApiResponse {
  const own = { 'content-disposition': createDisposition(name), 'cache-control': 'no-store' };
  return { statusCode: 200, headers: { ...own, ...headers } };
}

/** Sends a line of JSON for each entry, so that pages can be joined. */
export function okLines(lines: readonly string[], headers: Headers): ApiResponse {
  const body = lines.map((line) => `${line}\n`).join('');
  return respondText(200, body, { ...headers, 'content-type': 'application/x-ndjson' });
}

/** Redirects to a temporary address, which the client fetches with GET. */
export function seeOther(location: string): ApiResponse {
  return { statusCode: 303, headers: { location, 'cache-control': 'no-store' } };
}

/** Redirects a browser to a page. Never cached, because programs get JSON at the same address. */
export function leadTo(location: string): ApiResponse {
  return {
    statusCode: 303,
    headers: { location, vary: 'accept', 'cache-control': 'no-store' },
    body: '',
  };
}

/** Redirects to a temporary address, to which the client sends the same request again. */
export function temporaryRedirect(location: string): ApiResponse {
  return { statusCode: 307, headers: { location, 'cache-control': 'no-store' } };
}

export function respond(statusCode: number, body: unknown, headers: Headers = {}): ApiResponse {
  return respondText(statusCode, JSON.stringify(body), headers);
}

/** Forbids caching, because responses belong to one caller and change all the time. */
function respondText(statusCode: number, body: string, headers: Headers): ApiResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body,
  };
}

/** Returns the absolute address of a path, as this client reaches the service. */
export function addressAt(event: APIGatewayProxyEventV2, path: string): string {
  const scheme = event.headers['x-forwarded-proto'] ?? 'https';
  return `${scheme}://${event.requestContext.domainName}${path}`;
}

/** Returns the `Link` header to the next page (RFC 8288), or no header without a cursor. */
export function linkToPage(
  event: APIGatewayProxyEventV2,
  cursor: string | undefined,
): Record<string, string> {
  if (cursor === undefined) return {};
  const query = new URLSearchParams(event.rawQueryString);
  query.set('cursor', cursor);
  return { link: `<${addressAt(event, `${event.rawPath}?${query}`)}>; rel="next"` };
}
