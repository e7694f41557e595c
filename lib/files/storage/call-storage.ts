import { setTimeout as sleep } from 'node:timers/promises';
import { type ByteSource, type ByteStream, streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { sendRequest } from '#lib/byte-streams/send-request.ts';
import { receivePieces, sendPieces, watchTransfer } from '#lib/byte-streams/transfer.ts';
import { causeCode } from '#lib/outbound/cause-code.ts';
import { StorageUnavailableError } from '../errors.ts';

export interface StorageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface RetryPolicy {
  readonly tries: number;
  /** How long a response may take to start. Transferring bytes has time of its own. */
  readonly answerMs: number;
  /** No retry starts after this time. */
  readonly budgetMs: number;
  readonly baseMs: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Short compared with a function's own ten seconds, so there is still time to answer. */
export const retryPolicy: RetryPolicy = {
  tries: 3,
  answerMs: 4_000,
  budgetMs: 5_000,
  baseMs: 50,
  random: Math.random,
  now: Date.now,
  wait: (ms) => sleep(ms),
};

/** A connection slower than a megabyte per second counts as dead. */
const bytesPerMs = 1_000;

const passing = new Set([429, 500, 502, 503, 504]);

/**
 * Sends a request until it is answered, a limited number of times with full jitter. Every call to
 * the storage is idempotent. Each try is built, and so signed, again.
 */
export async function callStorage(
  build: () => Promise<Request>,
  sentBytes: number,
  policy: RetryPolicy,
): Promise<StorageAnswer> {
  return retry(async () => tryOnce(await build(), sentBytes, policy.answerMs), policy);
}

/** Repeats a try that returns an error. An error that it throws is final. */
async function retry<T>(tryOnce: () => Promise<T | Error>, policy: RetryPolicy): Promise<T> {
  const deadline = policy.now() + policy.budgetMs;
  for (let count = 1; ; count += 1) {
    const result = await tryOnce();
    if (!(result instanceof Error)) return result;
    const pause = policy.random() * policy.baseMs * 2 ** count;
    if (count >= policy.tries || policy.now() + pause > deadline) {
      throw new StorageUnavailableError({ cause: result });
    }
    await policy.wait(pause);
  }
}

/**
 * Returns the response, or the reason why there is none. The reason does not contain the URL,
 * because that may include a signature.
 */
async function tryOnce(
  request: Request,
  sentBytes: number,
  answerMs: number,
): Promise<StorageAnswer | Error> {
  const stopping = new AbortController();
  const allow = (bytes: number) =>
    setTimeout(() => stopping.abort(), answerMs + bytes / bytesPerMs);
  let timer = allow(sentBytes);
  try {
    const response = await fetch(request, { signal: stopping.signal });
    clearTimeout(timer);
    timer = allow(announcedBytes(response.headers));
    return await readAnswer(request, response);
  } catch (error) {
    return explainFailure(request, error, stopping.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}

async function readAnswer({ method }: Request, response: Response): Promise<StorageAnswer | Error> {
  const { status, headers } = response;
  const body = new Uint8Array(await response.arrayBuffer());
  return passing.has(status) ? new Error(`${method}: HTTP ${status}`) : { status, headers, body };
}

function explainFailure({ method }: Request, error: unknown, timedOut: boolean): Error {
  const reason = timedOut ? 'no answer in time' : causeCode(error);
  return new Error(`${method}: ${reason ?? 'the call failed'}`);
}

export function announcedBytes(headers: Headers): number {
  return Number(headers.get('content-length') ?? 0);
}

/**
 * Opens an object as a stream, or returns the response that says why not. A failure before the
 * first byte is retried. Later failures surface as an error of the stream.
 */
export async function openObject(
  build: () => Promise<Request>,
  policy: RetryPolicy,
): Promise<ByteStream | StorageAnswer> {
  return retry(async () => openOnce(await build(), policy.answerMs), policy);
}

async function openOnce(
  request: Request,
  answerMs: number,
): Promise<ByteStream | StorageAnswer | Error> {
  const watch = watchTransfer(answerMs);
  const explain = (error: unknown) => explainFailure(request, error, watch.stopped !== undefined);
  try {
    const response = await fetch(request, { signal: watch.signal });
    if (response.status !== 200) {
      return await readAnswer(request, response).finally(watch.end);
    }
    const pieces = response.body ?? streamBytes(new Uint8Array());
    const fail = (error: unknown) => new StorageUnavailableError({ cause: explain(error) });
    const stream = receivePieces(pieces, watch, fail);
    return { bytes: announcedBytes(response.headers), stream };
  } catch (error) {
    watch.end();
    return explain(error);
  }
}

/** Sends an object piece by piece. A failing source is final, because it does its own retries. */
export async function sendObject(
  build: (bytes: number) => Promise<Request>,
  source: ByteSource,
  policy: RetryPolicy,
): Promise<StorageAnswer> {
  return retry(async () => {
    const content = await source.open();
    return sendOnce(await build(content.bytes), content, policy.answerMs);
  }, policy);
}

async function sendOnce(
  request: Request,
  content: ByteStream,
  answerMs: number,
): Promise<StorageAnswer | Error> {
  const watch = watchTransfer(answerMs);
  watch.allow(answerMs + content.bytes / bytesPerMs);
  const sending = sendPieces(content, watch);
  try {
    const { url, method } = request;
    const headers = Object.fromEntries(request.headers);
    const response = await sendRequest({ url, method, headers, sending, signal: watch.signal });
    return await readAnswer(request, response);
  } catch (error) {
    if (sending.failure !== undefined) throw sending.failure;
    return explainFailure(request, error, watch.stopped !== undefined);
  } finally {
    sending.cancel();
    watch.end();
  }
}
