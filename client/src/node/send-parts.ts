import { writePath } from '../calls/call.ts';
import type { FileToSend, NamedFile } from '../calls/put-file.ts';
import { parseObject, send } from '../calls/send.ts';
import { sendFile } from '../calls/send-file.ts';
import type { Settings } from '../calls/settings.ts';
import type { Upload, UploadProgress } from '../generated/operations.ts';
import { ServiceUnreachable } from '../problems/errors.ts';

/** A larger file is sent in parts, so that it need not begin again when the line breaks. */
const mostInOnePiece = 200_000_000;

/** Sends what is missing of an upload, until nothing is. */
export async function sendParts(
  settings: Settings,
  { filename, blob, uploadId, onUpload, onProgress, signal }: NamedFile,
): Promise<string | undefined> {
  if (uploadId === undefined && blob.size <= mostInOnePiece) return undefined;
  const post = (path: string, body?: object) =>
    send(settings, {
      method: 'POST',
      path,
      signal,
      repeatable: true,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const open = async () =>
    parseObject<Upload>(
      await post('/uploads/', { filename, length: blob.size, parts: true }),
      'upload_id',
    ).upload_id;
  const id = uploadId ?? (await open());
  onUpload?.(id);
  for (let reached = 0; ; ) {
    const answer = await post(writePath('/uploads/{upload_id}/', { upload_id: id }));
    const { complete, length, parts } = parseObject<UploadProgress>(answer, 'complete');
    if (length !== blob.size) throw new TypeError('The upload is of a file of another length.');
    if (complete) {
      onProgress?.(blob.size, blob.size);
      return id;
    }
    const first = parts[0]?.number ?? 0;
    if (first <= reached) throw new ServiceUnreachable('The storage lost a part of the file');
    reached = await sendEach(settings, parts, { blob, onProgress, signal });
  }
}

/** Returns the number of the last part that was sent. Their addresses may expire meanwhile. */
async function sendEach(
  settings: Settings,
  parts: UploadProgress['parts'],
  { blob, onProgress, signal }: FileToSend,
): Promise<number> {
  let sent = 0;
  for (const { number, first, length, address, headers } of parts) {
    const part = blob.slice(first, first + length);
    const onPart = onProgress && ((done: number) => onProgress(first + done, blob.size));
    try {
      await sendFile(settings, { address, headers, blob: part, onProgress: onPart, signal });
    } catch (error) {
      if (sent === 0 || signal?.aborted) throw error;
      return sent;
    }
    sent = number;
  }
  return sent;
}
