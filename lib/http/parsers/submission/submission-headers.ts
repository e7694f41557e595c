import { parse } from 'content-disposition';
import * as v from 'valibot';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { isUploadId } from '#lib/catalog/identifiers.ts';
import { maxObjectBytes } from '#lib/files/storage/direct-store.ts';
import { maxUploadBytes } from '#lib/files/uploads/upload.ts';
import { jsonBody } from '../bodies/json-body.ts';
import { anyText, idempotencyKey, isPlainName } from '../fields.ts';
import { decodeHeader } from '../reading.ts';
import { batchPayload, payload } from './payload.ts';

const maxLength = 255;

/** The name of a zip file. Reports only the first problem. */
const zipName = v.config(
  v.pipe(
    anyText,
    v.maxLength(maxLength, `The file name is longer than ${maxLength} characters.`),
    v.check(isPlainName, 'The file name must be a plain name without a path.'),
    v.regex(/[^.]\.zip$/i, 'The file name must end in .zip.'),
  ),
  { abortPipeEarly: true },
);

/** `Content-Disposition: attachment; filename=<file.zip>`, in any form that RFC 6266 allows. */
export const contentDisposition = v.pipe(
  v.optional(v.string(), ''),
  v.check((text) => text.trim() !== '', 'This header is required: attachment; filename=<file.zip>'),
  v.transform((text) => readAttachment(decodeHeader(text))),
  v.minLength(1, 'It must be of the form: attachment; filename=<file.zip>'),
  zipName,
);

/** Returns the file name, or an empty text if the header has another form. */
function readAttachment(header: string): string {
  const { type, parameters } = parse(header);
  return (type === 'attachment' && parameters.filename) || '';
}

const uploadId = v.pipe(
  v.string(),
  v.check(isUploadId, 'It must be an upload_id that POST /uploads/ returned.'),
);

/** Interface 4.2, with the two headers that Slipway adds. */
export const submissionHeaders = (system: HpcSystem, project?: Project) =>
  headersWith(payload(system, project));

export const batchHeaders = (system: HpcSystem, project?: Project) =>
  headersWith(batchPayload(system, project));

const headersWith = <Payload>(payload: v.GenericSchema<string | undefined, Payload>) =>
  v.pipe(
    v.object({
      payload,
      'content-disposition': contentDisposition,
      'idempotency-key': v.optional(idempotencyKey),
      'upload-id': v.optional(uploadId),
    }),
    v.transform((headers) => ({
      payload: headers.payload,
      fileName: headers['content-disposition'],
      idempotencyKey: headers['idempotency-key'],
    })),
  );

/** For a request that has nothing else to say. */
export const keyHeaders = v.pipe(
  v.object({ 'idempotency-key': v.optional(idempotencyKey) }),
  v.transform((headers) => ({ idempotencyKey: headers['idempotency-key'] })),
);

const wrongLength = `It must be a whole number of bytes from 1 to ${maxUploadBytes}.`;
const tooLong = `More than ${maxObjectBytes} bytes can only be sent in parts: add "parts": true.`;

/** Announces a file that will be sent to the storage. */
export const uploadBody = jsonBody(
  v.pipe(
    v.object({
      filename: zipName,
      length: v.pipe(
        v.number(wrongLength),
        v.integer(wrongLength),
        v.minValue(1, wrongLength),
        v.maxValue(maxUploadBytes, wrongLength),
      ),
      parts: v.optional(v.boolean('It must be true or false.'), false),
    }),
    v.forward(
      v.check(
        ({ length, parts }) => parts || length <= maxObjectBytes || length > maxUploadBytes,
        tooLong,
      ),
      ['length'],
    ),
    v.transform(({ filename: fileName, length: bytes, parts: inParts }) => ({
      fileName,
      bytes,
      inParts,
    })),
  ),
);
