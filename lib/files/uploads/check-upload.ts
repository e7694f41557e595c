import { UploadUnfinishedError } from '../errors.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { inspectStoredZip } from '../zips/inspect-zip.ts';
import type { Upload } from './upload.ts';

/** The file of an upload is there, as long as announced, and a zip that is safe to unpack. */
export async function checkUpload(inputs: ObjectStore, upload: Upload): Promise<void> {
  const key = uploadedKey(upload.owner, upload.id);
  const found = await inputs.measure(key);
  if (found !== upload.bytes) throw new UploadUnfinishedError(upload.bytes, found);
  await inspectStoredZip(inputs, key, upload.bytes);
}
