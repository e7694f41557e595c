import type { RawRequest } from './reading.ts';

/** The bytes of a body as they were sent: a gateway hands them on as base64, or as the text they are. */
export function readBytes({ body, isBase64Encoded }: RawRequest): Buffer {
  return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : undefined);
}
