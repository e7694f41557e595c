import { createHash } from 'node:crypto';
import type { InputSource } from '#lib/jobs/submit/submission.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import { BodyTooLargeError, UnsupportedBodyError } from '../../errors.ts';
import { type BodyKind, type RawRequest, type Reading, readBytes } from '../reading.ts';

/** Lambda limits events to 6 MB. Base64 turns 3 bytes into 4, and headers need room too. */
export const maxZipBytes = 4_500_000;

/** Reads the zip from the body, or the upload that the Upload-Id header names. */
export const inputBody: BodyKind<InputSource> = {
  forms: {
    contents: { 'application/zip': 'bytes', 'application/octet-stream': 'bytes' },
    required: false,
  },
  read: (request) => {
    const uploadId = request.headers['upload-id'];
    return uploadId === undefined ? readZip(request) : readUpload(uploadId, request);
  },
};

function readUpload(uploadId: string, { body }: RawRequest): Reading<InputSource> {
  if (!body) return { output: { kind: 'upload', uploadId } };
  const message = 'The request also has a body. Send the zip in one of the two ways.';
  return { problems: [{ location: 'header', name: 'Upload-Id', message }] };
}

/** Accepts an empty body: the job then has no input. */
async function readZip(request: RawRequest): Promise<Reading<InputSource>> {
  const content = readBytes(request);
  if (content.length > maxZipBytes) throw new BodyTooLargeError(content.length, maxZipBytes);
  if (content.length === 0) return { output: { kind: 'none' } };
  refuseMangledBody(request);
  const { inspectZip } = await import('#lib/zips/inspect-zip.ts');
  try {
    await inspectZip(content);
  } catch (error) {
    if (!(error instanceof UnsafeZipError)) throw error;
    return {
      problems: error.problems.map((message) => ({ location: 'body', name: 'body', message })),
    };
  }
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { output: { kind: 'inline', content, sha256 } };
}

/**
 * Refuses textual types, because the gateway passes them on as text and loses bytes that are not
 * UTF-8; and multipart bodies, because they wrap the zip.
 */
function refuseMangledBody({ headers, isBase64Encoded }: RawRequest): void {
  const contentType = headers['content-type'] ?? '';
  if (!isBase64Encoded || /^multipart\//i.test(contentType)) {
    throw new UnsupportedBodyError(contentType);
  }
}
