import type { UploadProgress } from '#lib/files/uploads/continue-upload.ts';
import type { UploadOffer } from '#lib/files/uploads/create-upload.ts';
import { timestamp } from './values.ts';

/** Tells the sender everything about the first PUT to make. The signature covers the headers. */
export function presentUpload({ upload, address, headers, addressExpiresAt }: UploadOffer) {
  return {
    upload_id: upload.id,
    filename: upload.fileName,
    length: upload.bytes,
    expires: timestamp(addressExpiresAt),
    method: 'PUT',
    address,
    headers,
    ...(upload.partBytes !== undefined && { part_length: upload.partBytes }),
  };
}

/** Tells the sender what is missing, or that nothing is. */
export function presentUploadProgress({ upload, missing, addressExpiresAt }: UploadProgress) {
  return {
    upload_id: upload.id,
    length: upload.bytes,
    complete: missing.length === 0,
    expires: timestamp(addressExpiresAt),
    parts: missing.map(({ number, first, bytes, address, headers }) => ({
      number,
      first,
      length: bytes,
      address,
      headers,
    })),
  };
}
