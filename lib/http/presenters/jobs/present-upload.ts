import type { UploadOffer } from '#lib/files/uploads/create-upload.ts';
import { timestamp } from '../values/timestamp.ts';

/** Everything that the sender needs for one PUT; the headers are a part of the signature. */
export function presentUpload({ upload, address, addressExpiresAt }: UploadOffer) {
  return {
    upload_id: upload.id,
    filename: upload.fileName,
    length: upload.bytes,
    expires: timestamp(addressExpiresAt),
    method: 'PUT',
    address,
    headers: { 'Content-Length': String(upload.bytes), 'If-None-Match': '*' },
  };
}
