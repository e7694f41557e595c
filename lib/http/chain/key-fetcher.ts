import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { FetchError, NonRetryableFetchError } from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';

export interface KeyFetcherOptions {
  /** The time for one attempt, up to the last byte of the response. */
  readonly attemptMs?: number;
  readonly maxBytes?: number;
  /** Replaceable in tests only. Without TLS, an attacker could swap the keys and sign any token. */
  readonly send?: typeof requestHttps;
}

/** A real key set has a few kilobytes. */
const defaultMaxBytes = 1_000_000;

/** Fetches an issuer's keys with a size limit: the library's own fetcher reads without end. */
export function createKeyFetcher(options: KeyFetcherOptions = {}): Fetcher {
  return {
    async fetch(uri) {
      try {
        return await fetchOnce(uri, options);
      } catch (error) {
        if (error instanceof NonRetryableFetchError) throw error;
        return fetchOnce(uri, options);
      }
    },
  };
}

function fetchOnce(
  uri: string,
  { attemptMs = 3_000, maxBytes = defaultMaxBytes, send = requestHttps }: KeyFetcherOptions,
): Promise<ArrayBuffer> {
  const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
  const request = send(uri, { headers: { accept: 'application/json' } });
  const fail = (error: FetchError): void => {
    reject(error);
    request.destroy();
  };
  const late = setTimeout(
    () => fail(new FetchError(uri, `no complete response within ${attemptMs} ms`)),
    attemptMs,
  );
  request.on('error', (error) => fail(new FetchError(uri, error.message)));
  // Without this listener, Node would report neither a response nor an error.
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    fail(new NonRetryableFetchError(uri, 'unexpected status 101'));
  });
  request.on('response', (response) => {
    if (response.statusCode !== 200) {
      fail(new NonRetryableFetchError(uri, `unexpected status ${response.statusCode}`));
      return;
    }
    readWhole(response, maxBytes).then(resolve, (error: Error) =>
      fail(new FetchError(uri, error.message)),
    );
  });
  request.end();
  return promise.finally(() => clearTimeout(late));
}

async function readWhole(response: IncomingMessage, maxBytes: number): Promise<ArrayBuffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the response exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}
