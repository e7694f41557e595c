import * as v from 'valibot';
import { attribute, defineItem, number, optional, text } from '#lib/table/define-item.ts';
import { uploadDueKeys, uploadKey } from '#lib/table/keys.ts';
import { StoredJobId, StoredUserId } from '#lib/table/stored-names.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';

const Seconds = v.pipe(
  v.number(),
  v.transform((seconds) => new Date(seconds * 1000)),
);

const storedUpload = defineItem('upload', {
  id: text('upload_id'),
  owner: attribute('owner', StoredUserId),
  fileName: text('file_name'),
  bytes: number('bytes'),
  /** Missing in older records, whose uploads stay open until the item expires. */
  openUntil: optional(attribute('open_until', Seconds, epochSeconds)),
  /** The time to live of the item. */
  forgottenAt: attribute('expires_at', Seconds, epochSeconds),
  jobId: optional(attribute('job_id', StoredJobId)),
});

/** Writes an upload that no job has used. */
export function newUploadToItem({ id, owner, fileName, bytes, expiresAt }: Omit<Upload, 'jobId'>) {
  const forgottenAt = secondsLater(expiresAt, uploadSeconds.untilForgotten);
  return {
    ...uploadKey(owner, id),
    ...storedUpload.format({ id, owner, fileName, bytes, openUntil: expiresAt, forgottenAt }),
    ...uploadDueKeys(secondsLater(expiresAt, uploadSeconds.untilRemoval).toISOString()),
  };
}

export function uploadFromItem(stored: unknown): Upload {
  const { openUntil, forgottenAt, ...upload } = storedUpload.parse(stored);
  return { ...upload, expiresAt: openUntil ?? forgottenAt };
}

export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
