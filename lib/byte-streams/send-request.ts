import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { streamPieces } from './byte-stream.ts';
import type { Sending } from './transfer.ts';

export interface StreamedRequest {
  readonly url: string | URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sending: Sending;
  readonly signal: AbortSignal;
}

/**
 * Sends a request whose body goes out piece by piece. `fetch` keeps every piece of such a body
 * until its end (Node 20.20 and 24.21: sending a gigabyte takes a gigabyte of memory). Redirects
 * are not followed. The response may come before the whole body is sent.
 */
export function sendRequest(order: StreamedRequest): Promise<Response> {
  const { url, method, headers, sending, signal } = order;
  return new Promise((resolve, reject) => {
    const address = new URL(url);
    const request = address.protocol === 'https:' ? requestSecure : requestPlain;
    const length = { 'Content-Length': String(sending.bytes) };
    // A new connection, because a kept one may be closing just now.
    const outgoing = request(address, {
      method,
      headers: { ...headers, ...length },
      signal,
      agent: false,
    });
    outgoing.once('response', (incoming) => resolve(wrapAnswer(incoming)));
    outgoing.once('error', reject);
    // Without a listener, a 101 would never settle the promise.
    outgoing.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('protocols are not switched'));
    });
    pipeline(sending.stream, outgoing).catch(reject);
  });
}

const withoutBody = new Set([204, 205, 304]);

function wrapAnswer(incoming: IncomingMessage): Response {
  const { statusCode: status = 500, headersDistinct } = incoming;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (withoutBody.has(status)) incoming.resume();
  const body = withoutBody.has(status)
    ? null
    : streamPieces(incoming, () => void incoming.destroy());
  return new Response(body, { status, headers });
}
