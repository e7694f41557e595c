import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { FetchError, NonRetryableFetchError } from 'aws-jwt-verify/error';
import type { Fetcher } from 'aws-jwt-verify/https';

export interface KeyFetcherOptions {
  /** For one attempt, from its beginning to the last byte of its answer. */
  readonly attemptMs?: number;
  readonly maxBytes?: number;
  /** Over TLS unless a test says otherwise: who can change the keys can sign for anybody. */
  readonly send?: typeof requestHttps;
}

/** A key set has a few kilobytes. */
const defaultMaxBytes = 1_000_000;

/** The keys of an issuer. The library's own fetcher reads an answer without an end into memory. */
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
    () => fail(new FetchError(uri, `no whole answer within ${attemptMs} ms`)),
    attemptMs,
  );
  request.on('error', (error) => fail(new FetchError(uri, error.message)));
  // Unless somebody listens Node says nothing of it: neither an answer nor an error would come.
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    fail(new NonRetryableFetchError(uri, 'the status is 101'));
  });
  request.on('response', (response) => {
    if (response.statusCode !== 200) {
      fail(new NonRetryableFetchError(uri, `the status is ${response.statusCode}`));
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
    if (bytes > maxBytes) throw new Error(`the answer is over ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks)).buffer;
}
