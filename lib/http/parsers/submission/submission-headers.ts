import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isUploadId } from '#lib/files/uploads/upload.ts';
import { contentDisposition } from './file-name.ts';
import { payload } from './payload.ts';

export const idempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,255}$/, 'It must have 1 to 255 visible ASCII characters without spaces.'),
);

const uploadId = v.pipe(
  v.string(),
  v.check(isUploadId, 'It must be an upload_id that POST /uploads/ returned.'),
);

/** Interface 4.2, and what it leaves open. */
export const submissionHeaders = (system: HpcSystem) =>
  v.pipe(
    v.object({
      payload: payload(system),
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
