import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

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
