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

export interface StoragePatience {
  readonly attempts: number;
  /** How long an answer may take to begin; what is sent or fetched has its time beside that. */
  readonly answerMs: number;
  /** No further attempt begins after this. */
  readonly budgetMs: number;
  readonly baseMs: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Short against a function's own ten seconds, so that giving up is still an answer. */
export const patience: StoragePatience = {
  attempts: 3,
  answerMs: 4_000,
  budgetMs: 5_000,
  baseMs: 50,
  random: Math.random,
  now: Date.now,
  wait: (ms) => sleep(ms),
};

/** Slower than a megabyte a second is a connection that has died. */
export const bytesPerMs = 1_000;

const passing = new Set([429, 500, 502, 503, 504]);

/**
 * Sends a request until it is answered, a bounded number of times with full jitter. Every call to
 * a storage may be made twice: it puts the same bytes, or takes away what is gone already. Each
 * attempt is built, and so signed, anew.
 */
export async function callStorage(
  build: () => Promise<Request>,
  sentBytes: number,
  policy: StoragePatience,
): Promise<StorageAnswer> {
  return repeatAttempts(async () => attemptOnce(await build(), sentBytes, policy.answerMs), policy);
}

/** Each attempt gives its outcome, or the reason to make another one; what it throws is final. */
export async function repeatAttempts<T>(
  attemptOnce: () => Promise<T | Error>,
  policy: StoragePatience,
): Promise<T> {
  const deadline = policy.now() + policy.budgetMs;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce();
    if (!(outcome instanceof Error)) return outcome;
    const pause = policy.random() * policy.baseMs * 2 ** attempt;
    if (attempt >= policy.attempts || policy.now() + pause > deadline) {
      throw new StorageUnavailableError({ cause: outcome });
    }
    await policy.wait(pause);
  }
}

/** The answer, or why there was none. Messages name no address: a signature may be in it. */
async function attemptOnce(
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

export async function readAnswer(
  { method }: Request,
  response: Response,
): Promise<StorageAnswer | Error> {
  const { status, headers } = response;
  const body = new Uint8Array(await response.arrayBuffer());
  return passing.has(status) ? new Error(`${method}: HTTP ${status}`) : { status, headers, body };
}

export function explainFailure({ method }: Request, error: unknown, timedOut: boolean): Error {
  const reason = timedOut ? 'no answer in time' : causeCode(error);
  return new Error(`${method}: ${reason ?? 'the call failed'}`);
}

export function announcedBytes(headers: Headers): number {
  return Number(headers.get('content-length') ?? 0);
}

/**
 * An object as a stream, or the answer that says why there is none. What fails before its first
 * byte is tried again; behind that, whoever reads it meets an error.
 */
export async function openObject(
  build: () => Promise<Request>,
  policy: StoragePatience,
): Promise<ByteStream | StorageAnswer> {
  return repeatAttempts(async () => openOnce(await build(), policy.answerMs), policy);
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

/** Sends an object piece by piece. A source that fails is final: it has a patience of its own. */
export async function sendObject(
  build: (bytes: number) => Promise<Request>,
  source: ByteSource,
  policy: StoragePatience,
): Promise<StorageAnswer> {
  return repeatAttempts(async () => {
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
