import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { type Upload, uploadSeconds, usualPartBytes } from './upload.ts';

/** A piece of a file that is sent by one request. A file that is not sent in parts is one piece. */
export interface UploadPart {
  /** From 1. */
  readonly number: number;
  /** The position of its first byte in the file. */
  readonly first: number;
  readonly bytes: number;
}

/** A part with the URL that takes it. */
export interface SignedPart extends UploadPart {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Opens the parts of a new upload at the storage. */
export async function beginParts(inputs: ObjectStore, upload: Upload): Promise<Upload> {
  if (upload.partsId !== undefined) return upload;
  const partsId = await inputs.parts.begin(uploadedKey(upload.owner, upload.id), usualPartBytes);
  return { ...upload, partsId, partBytes: usualPartBytes };
}

export function listAllParts({
  bytes,
  partBytes = bytes,
}: Pick<Upload, 'bytes' | 'partBytes'>): [UploadPart, ...UploadPart[]] {
  const partAt = (index: number): UploadPart => {
    const first = index * partBytes;
    return { number: index + 1, first, bytes: Math.min(partBytes, bytes - first) };
  };
  const others = Array.from({ length: Math.ceil(bytes / partBytes) - 1 }, (_, n) => partAt(n + 1));
  return [partAt(0), ...others];
}

/** Signs a URL for exactly the bytes of a part. A whole file is taken once. */
export async function signPart(
  inputs: Pick<ObjectStore, 'addressToWrite'>,
  { owner, id, partsId }: Upload,
  part: UploadPart,
): Promise<SignedPart> {
  const { number, bytes } = part;
  const isWhole = partsId === undefined;
  const address = await inputs.addressToWrite(uploadedKey(owner, id), {
    expiresInSeconds: uploadSeconds.address,
    bytes,
    ...(isWhole ? { once: true } : { part: { id: partsId, number } }),
  });
  const headers = { 'Content-Length': String(bytes), ...(isWhole && { 'If-None-Match': '*' }) };
  return { ...part, address, headers };
}
