import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { create as createDisposition } from 'content-disposition';

export type ApiResponse = APIGatewayProxyStructuredResultV2;

export function ok(body: unknown): ApiResponse {
  return respond(200, body);
}

/** For a body that was written as JSON already, job by job. */
export function okText(body: string, headers: Readonly<Record<string, string>>): ApiResponse {
  return respondText(200, body, headers);
}

export function created(body: unknown, location: string): ApiResponse {
  return respond(201, body, { location });
}

/** The answer to a request that was made before, marked: a client may count what it has made. */
export function replayed(response: ApiResponse): ApiResponse {
  return { ...response, headers: { ...response.headers, 'idempotency-replayed': 'true' } };
}

/** A file to be saved: it came from a job, and no browser may take it for a page of ours. */
export function okFile(
  name: string,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return {
    statusCode: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': createDisposition(name),
      'cache-control': 'no-store',
      ...headers,
    },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  };
}

/** A table for a spreadsheet (RFC 4180). */
export function okCsv(
  name: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): ApiResponse {
  return {
    statusCode: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': createDisposition(name),
      'cache-control': 'no-store',
      ...headers,
    },
    body: text,
  };
}

/** What was asked for is at another address, which is good for a while. */
export function seeOther(location: string): ApiResponse {
  return { statusCode: 303, headers: { location, 'cache-control': 'no-store' } };
}

/** The same request, whatever its method, is to be sent to another address, which is good for a while. */
export function temporaryRedirect(location: string): ApiResponse {
  return { statusCode: 307, headers: { location, 'cache-control': 'no-store' } };
}

export function respond(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return respondText(statusCode, JSON.stringify(body), headers);
}

/** Answers hold what belongs to one caller, and change from one moment to the next: no caches. */
function respondText(
  statusCode: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): ApiResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body,
  };
}
