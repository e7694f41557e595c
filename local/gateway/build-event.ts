import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Bodies of these types are passed as text, all others base64-encoded. */
const textual = /^(text\/|application\/(json|javascript|xml|[\w.-]+\+(json|xml))\b)/i;

/**
 * Builds the event (payload format 2.0) that an HTTP API would send, without the body. Like there, the domain is one
 * of the service's own addresses. Responses contain it, so a forged Host header must not get into
 * it.
 */
export function buildEvent(
  request: IncomingMessage,
  routeKey: string,
  addresses: readonly [URL, ...URL[]],
): APIGatewayProxyEventV2 {
  const url = new URL(`http://localhost${request.url ?? '/'}`);
  const rawPath = decodePath(url.pathname);
  const headers = joinHeaders(request);
  const now = new Date();
  const own = addresses.find(({ host }) => host === headers.host) ?? addresses[0];
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: url.search.slice(1),
    headers: { ...headers, 'x-forwarded-proto': own.protocol.slice(0, -1) },
    ...(url.search.length > 1 && { queryStringParameters: joinParameters(url.searchParams) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: own.host,
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      // Same length as the request ids of an HTTP API.
      requestId: randomUUID().replaceAll('-', '').slice(0, 16),
      routeKey,
      stage: '$default',
      time: now.toISOString(),
      timeEpoch: now.getTime(),
    },
    isBase64Encoded: false,
  };
}

/** Adds the body as an HTTP API does. */
export function withBody(
  event: APIGatewayProxyEventV2,
  pieces: readonly Uint8Array[],
): APIGatewayProxyEventV2 {
  const body = Buffer.concat(pieces);
  if (body.length === 0) return event;
  const isBase64Encoded = !textual.test(event.headers['content-type'] ?? '');
  return { ...event, body: body.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
}

/** Lambda receives `rawPath` decoded. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Joins repeated values with commas. */
function joinParameters(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]),
  );
}

/** Joins repeated headers with commas. Names are in lower case. */
function joinHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]),
  );
}
