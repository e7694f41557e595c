import { type ByteSource, readWhole, streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { sendRequest } from '#lib/byte-streams/send-request.ts';
import {
  receivePieces,
  type Sending,
  sendPieces,
  type TransferWatch,
  watchTransfer,
} from '#lib/byte-streams/transfer.ts';
import { causeCode } from '#lib/outbound/cause-code.ts';
import type { OpenedFile } from './connector.ts';
import { AnswerTooLargeError, SystemUnavailableError, TransferTooSlowError } from './errors.ts';

export interface UpstreamCall {
  readonly url: string | URL;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A source is opened again for each try and sent piece by piece. */
  readonly body?: string | ByteSource;
  /** For the whole call with its answer; if bytes are streamed, for any of them to move. */
  readonly timeoutSeconds?: number;
  readonly maxAnswerBytes?: number;
  /** True to get a 2xx as a stream, in `content`. */
  readonly streams?: boolean;
  /**
   * Inspects an answer before its status is judged. True returns it to the caller as it is; an error
   * thrown here ends the call. For systems that refuse with a 5xx.
   */
  readonly takesAnswer?: (answer: UpstreamAnswer) => boolean | Promise<boolean>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Set if the call streams. The caller must read it or cancel it. */
  readonly content?: OpenedFile;
}

/**
 * The time for a transfer, besides that of its call. A connection slower than a megabyte a second is
 * as good as dead, and a function that runs for five minutes has more to do.
 */
const transferLimits = { bytesPerMs: 1_000, longestMs: 240_000 };

interface Exchange {
  readonly call: UpstreamCall;
  /** The name of the call in errors. */
  readonly name: string;
  readonly watch: TransferWatch;
  readonly timeoutMs: number;
  readonly limits: typeof transferLimits;
}

/** Sends one request and returns its answer, whatever the status. */
export async function exchangeBytes(
  call: UpstreamCall,
  name: string,
  limits = transferLimits,
): Promise<UpstreamAnswer> {
  const { body, timeoutSeconds = 20 } = call;
  // Not part of the call yet, as the storage has timeouts of its own.
  const content = typeof body === 'object' ? await body.open() : undefined;
  const timeoutMs = timeoutSeconds * 1000;
  const exchange = { call, name, timeoutMs, limits, watch: watchTransfer(timeoutMs) };
  const sending = content && sendPieces(content, exchange.watch);
  let isStreaming = false;
  try {
    const response = await send(exchange, sending);
    isStreaming = call.streams === true && response.ok;
    return isStreaming ? streamAnswer(exchange, response) : await readAnswer(exchange, response);
  } catch (error) {
    throw sending?.failure ?? explain(exchange, error, sending?.isDone());
  } finally {
    sending?.cancel();
    if (!isStreaming) exchange.watch.end();
  }
}

async function send(exchange: Exchange, sending: Sending | undefined): Promise<Response> {
  const { url, method = 'GET', headers = {}, body, streams } = exchange.call;
  const { signal } = exchange.watch;
  if (sending) return sendContent(exchange, sending);
  return fetch(url, {
    method,
    // A compressed body has a different length from the one that is announced.
    headers: { ...headers, ...(streams && { 'Accept-Encoding': 'identity' }) },
    // Credentials must not follow a redirect to another address.
    redirect: 'manual',
    signal,
    ...(typeof body === 'string' && { body }),
  });
}

async function sendContent(exchange: Exchange, sending: Sending): Promise<Response> {
  const { call, watch, name } = exchange;
  const { url, method = 'PUT', headers = {} } = call;
  watch.allow(allowedMs(exchange, sending.bytes));
  const response = await sendRequest({ url, method, headers, sending, signal: watch.signal });
  if (response.ok && !sending.isDone()) {
    throw new SystemUnavailableError(`${name}: it was answered before all was sent.`);
  }
  return response;
}

function streamAnswer(exchange: Exchange, response: Response): UpstreamAnswer {
  const { watch, limits } = exchange;
  const bytes = readLength(response.headers);
  watch.allow(bytes === undefined ? limits.longestMs : allowedMs(exchange, bytes));
  const pieces = response.body ?? streamBytes(new Uint8Array());
  const stream = receivePieces(pieces, watch, (error) => explain(exchange, error));
  const { status, headers } = response;
  return { status, headers, body: new Uint8Array(), content: { bytes, stream } };
}

async function readAnswer({ call, name }: Exchange, response: Response): Promise<UpstreamAnswer> {
  const limit = call.maxAnswerBytes ?? 10_000_000;
  const body = await readWhole(response.body ?? streamBytes(new Uint8Array()), limit);
  if (!body) throw new AnswerTooLargeError(`${name}: the answer is over ${limit} bytes.`);
  return { status: response.status, headers: response.headers, body };
}

/** The announced length of a compressed body is the compressed one. */
function readLength(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

function allowedMs({ timeoutMs, limits }: Exchange, bytes: number): number {
  return Math.min(timeoutMs + bytes / limits.bytesPerMs, limits.longestMs);
}

function explain({ name, watch, timeoutMs }: Exchange, error: unknown, isSent = false): Error {
  if (error instanceof SystemUnavailableError) return error;
  if (watch.stopped === 'too slow' && !isSent) {
    return new TransferTooSlowError(`${name}: the transfer took too long.`);
  }
  const silence = isSent ? 'no answer in time' : `no answer within ${timeoutMs / 1000} s`;
  const reason = watch.stopped ? silence : (causeCode(error) ?? 'the call failed');
  return new SystemUnavailableError(`${name}: ${reason}.`);
}
