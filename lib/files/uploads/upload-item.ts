import * as v from 'valibot';
import { uploadDueKeys, uploadKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredJobId, StoredUserId } from '#lib/table/stored-names.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';

const UploadItem = v.object({
  type: v.literal('upload'),
  schema_version: v.literal(1),
  upload_id: v.string(),
  owner: StoredUserId,
  file_name: v.string(),
  bytes: v.number(),
  /** Seconds since 1970, as all times to live are. Records from before it was noted have one time. */
  open_until: v.optional(v.number()),
  /** The table forgets it some time after that. */
  expires_at: v.number(),
  job_id: v.optional(StoredJobId),
});

/** Of one that no job has begun with. */
export function newUploadToItem(upload: Upload) {
  return {
    ...uploadKey(upload.owner, upload.id),
    type: 'upload',
    schema_version: 1,
    upload_id: upload.id,
    owner: upload.owner,
    file_name: upload.fileName,
    bytes: upload.bytes,
    open_until: epochSeconds(upload.expiresAt),
    expires_at: epochSeconds(secondsLater(upload.expiresAt, uploadSeconds.untilForgotten)),
    ...uploadDueKeys(secondsLater(upload.expiresAt, uploadSeconds.untilRemoval).toISOString()),
  } satisfies v.InferInput<typeof UploadItem> & Record<'PK' | 'SK', string>;
}

export function uploadFromItem(stored: unknown): Upload {
  const item = parseItem(UploadItem, stored);
  return {
    id: item.upload_id,
    owner: item.owner,
    fileName: item.file_name,
    bytes: item.bytes,
    expiresAt: new Date((item.open_until ?? item.expires_at) * 1000),
    jobId: item.job_id,
  };
}

export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
