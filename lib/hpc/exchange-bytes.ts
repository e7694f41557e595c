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
  /** A source is opened for each try, and goes out piece by piece. */
  readonly body?: string | ByteSource;
  /** For the whole call, its answer included; where bytes are streamed, for any of them to move. */
  readonly timeoutSeconds?: number;
  readonly maxAnswerBytes?: number;
  /** Whether a 2xx is given as a stream, in `content`, and not read. */
  readonly streams?: boolean;
  /**
   * Looks at an answer before it is classified by its status: true hands it to the caller as it
   * is; an error that this throws is the outcome. For systems whose 5xx carries a plain refusal.
   */
  readonly takesAnswer?: (answer: UpstreamAnswer) => boolean | Promise<boolean>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Of a call that streams: whoever gets it reads it or cancels it. */
  readonly content?: OpenedFile;
}

/**
 * What a transfer may take beside the time of its call. Slower than a megabyte a second is a
 * connection that has died; and a function lives for five minutes, in which it has more to do.
 */
const transferLimits = { bytesPerMs: 1_000, longestMs: 240_000 };

interface Exchange {
  readonly call: UpstreamCall;
  /** What errors call it. */
  readonly name: string;
  readonly watch: TransferWatch;
  readonly timeoutMs: number;
  readonly limits: typeof transferLimits;
}

/** Sends one request and takes its answer, whatever its status. */
export async function exchangeBytes(
  call: UpstreamCall,
  name: string,
  limits = transferLimits,
): Promise<UpstreamAnswer> {
  const { body, timeoutSeconds = 20 } = call;
  // No part of the call yet: the storage has its own patience.
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
    // What is packed on its way has another length than the one that is told.
    headers: { ...headers, ...(streams && { 'Accept-Encoding': 'identity' }) },
    // Credentials go to the address that was configured, and nowhere else.
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

/** Of bytes that are packed the length is that of the packed ones. */
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
