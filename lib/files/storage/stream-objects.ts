import type { ByteSource, ByteStream } from '#lib/byte-streams/byte-stream.ts';
import { receivePieces } from '#lib/byte-streams/receive-pieces.ts';
import { sendPieces } from '#lib/byte-streams/send-pieces.ts';
import { sendRequest } from '#lib/byte-streams/send-request.ts';
import { streamBytes } from '#lib/byte-streams/stream-pieces.ts';
import { watchTransfer } from '#lib/byte-streams/watch-transfer.ts';
import { StorageUnavailableError } from '../errors.ts';
import {
  announcedBytes,
  bytesPerMs,
  explainFailure,
  readAnswer,
  repeatAttempts,
  type StorageAnswer,
  type StoragePatience,
} from './call-storage.ts';

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
