import { pipeline } from 'node:stream/promises';
import type { FilePut } from '../calls/put-file.ts';

/** A refusal of the storage has a few hundred bytes. */
const mostAnswerBytes = 1_000_000;

/** Sends a file over node:http and counts the bytes, because `fetch` reports no progress. */
export async function putOverHttp(put: FilePut): Promise<number> {
  const { address, headers, blob, signal, timeout } = put;
  // Loaded late, because it takes longer to load than the rest of the client.
  const { request: open } = await (address.startsWith('https:')
    ? import('node:https')
    : import('node:http'));
  const request = open(address, {
    method: 'PUT',
    headers: { ...headers, 'content-length': blob.size },
    ...(signal && { signal }),
    ...(timeout !== undefined && { timeout }),
  });
  request.on('timeout', () => request.destroy(new Error('It timed out')));
  const answered = new Promise<number>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      let received = 0;
      response.on('data', (piece: Buffer) => {
        received += piece.length;
        if (received > mostAnswerBytes) request.destroy(new Error('Its answer is too long'));
      });
      response.on('end', () => {
        resolve(response.statusCode ?? 0);
        // A storage that refuses may answer early and stop reading.
        if (!request.writableFinished) request.destroy();
      });
      response.on('error', reject);
    });
  });
  const sent = pipeline(countBytes(put), request).catch(() => answered);
  const [status] = await Promise.all([answered, sent]);
  return status;
}

/** Splits Blobs in memory, which stream as one piece. */
const pieceBytes = 65_536;

async function* countBytes({ blob, onProgress }: FilePut): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of blob.stream()) {
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      const piece = chunk.subarray(from, from + pieceBytes);
      yield piece;
      sent += piece.length;
      onProgress?.(sent, blob.size);
    }
  }
}
