import type { BatchId, JobId, UserId } from '#lib/catalog/identifiers.ts';
import { UploadUnfinishedError, UploadUsedError } from '#lib/files/errors.ts';
import { uploadedKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { Upload } from '#lib/files/uploads/upload.ts';
import { claimUpload, findUpload } from '#lib/files/uploads/upload-store.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import type { StoredZip } from '../job-request.ts';
import type { Submission } from './submission.ts';

export interface PlacedInput {
  readonly zip: StoredZip;
  /** Steps for the transaction that accepts the job. */
  readonly steps: readonly Step[];
  /** Removes an inline zip after its job was refused. An upload stays usable. */
  takeBack(): Promise<void>;
}

interface Circumstances {
  /** The job or batch that the zip is for. */
  readonly usedBy: JobId | BatchId;
  /** Where a zip from the body is stored. */
  readonly key: string;
  /** Whether the request may be a repeat whose first attempt has used the upload. */
  readonly repeatable: boolean;
  readonly at: Date;
}

const nothing = { steps: [], takeBack: async () => undefined };

/** Stores the zip before the job is accepted, so that no job is ever without its input. */
export async function placeInput(
  table: Table,
  inputs: ObjectStore,
  { owner, input: { source } }: Submission,
  { usedBy, key, repeatable, at }: Circumstances,
): Promise<PlacedInput> {
  switch (source.kind) {
    case 'none':
      return { ...nothing, zip: { bytes: 0 } };
    case 'inline': {
      const { content, sha256 } = source;
      await inputs.put(key, content);
      // If this fails, the object expires later.
      const takeBack = () => inputs.remove(key).catch(() => undefined);
      return { ...nothing, zip: { bytes: content.byteLength, sha256, key }, takeBack };
    }
    case 'upload': {
      const upload = await openUpload(table, inputs, { owner, ...source, repeatable, at });
      return {
        ...nothing,
        zip: { bytes: upload.bytes, key: uploadedKey(owner, upload.id) },
        steps: [claimUpload(upload, usedBy, at)],
      };
    }
  }
}

/** Returns the bytes of a job's zip. Checks an upload as a submission does. Writes nothing. */
export async function measureInput(
  table: Table,
  inputs: ObjectStore,
  { owner, input: { source } }: Submission,
  at: Date,
): Promise<number> {
  switch (source.kind) {
    case 'none':
      return 0;
    case 'inline':
      return source.content.byteLength;
    case 'upload':
      return (await openUpload(table, inputs, { owner, ...source, repeatable: false, at })).bytes;
  }
}

interface NamedUpload extends Omit<Circumstances, 'usedBy' | 'key'> {
  readonly owner: UserId;
  readonly uploadId: string;
}

async function openUpload(
  table: Table,
  inputs: ObjectStore,
  { owner, uploadId, repeatable, at }: NamedUpload,
): Promise<Upload> {
  const upload = await findUpload(table, owner, uploadId, at);
  if (upload.jobId === undefined) await checkUpload(inputs, upload);
  else if (!repeatable) throw new UploadUsedError();
  return upload;
}

/**
 * Checks that the uploaded file exists, has the announced size, and is a zip that is safe to
 * unpack.
 */
async function checkUpload(inputs: ObjectStore, upload: Upload): Promise<void> {
  const key = uploadedKey(upload.owner, upload.id);
  const found = await inputs.measure(key);
  if (found !== upload.bytes) throw new UploadUnfinishedError(upload.bytes, found);
  const { inspectStoredZip } = await import('#lib/zips/inspect-zip.ts');
  await inspectStoredZip(inputs, key, upload.bytes);
}
