import { createHash } from 'node:crypto';
import { UnsafeZipError } from '#lib/files/errors.ts';
import { inspectZip } from '#lib/files/zips/inspect-zip.ts';
import type { InputSource } from '#lib/jobs/submit/submission.ts';
import { BodyTooLargeError, UnsupportedBodyError } from '../../errors.ts';
import { readBytes } from '../read-bytes.ts';
import type { BodyKind, RawRequest, Reading } from '../reading.ts';

/** Lambda takes events of 6 MB; base64 makes 4 bytes of 3, and the headers need their room. */
export const maxZipBytes = 4_500_000;

/** The zip is in the body, or it was sent before and is named by a header, which has its schema. */
export const inputBody: BodyKind<InputSource> = {
  forms: { contents: { 'application/zip': 'bytes' }, required: false },
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

/** The bytes of the zip as they are. No body is a job without input. */
async function readZip(request: RawRequest): Promise<Reading<InputSource>> {
  const content = readBytes(request);
  if (content.length > maxZipBytes) throw new BodyTooLargeError(content.length, maxZipBytes);
  if (content.length === 0) return { output: { kind: 'none' } };
  refuseMangledBody(request);
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
 * The gateway hands on a body of a textual type as text, and whatever is no UTF-8 in it is lost;
 * a multipart body wraps the zip in something else.
 */
function refuseMangledBody({ headers, isBase64Encoded }: RawRequest): void {
  const contentType = headers['content-type'] ?? '';
  if (!isBase64Encoded || /^multipart\//i.test(contentType)) {
    throw new UnsupportedBodyError(contentType);
  }
}
