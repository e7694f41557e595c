import * as v from 'valibot';
import {
  attribute,
  defineItem,
  number,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { dueKeys, uploadKey } from '#lib/table/keys.ts';
import { jobIdField, userField } from '#lib/table/named-fields.ts';

const Seconds = v.pipe(
  v.number(),
  v.transform((seconds) => new Date(seconds * 1000)),
);

/** A zip that its owner sends to the storage, for one job. */
const storedUpload = defineItem('upload', () => ({
  id: text('upload_id'),
  owner: userField('owner'),
  fileName: text('file_name'),
  bytes: number('bytes'),
  /** Missing in older records, whose uploads stay open until the item expires. */
  openUntil: optional(attribute('open_until', Seconds, epochSeconds)),
  /** The time to live of the item. */
  forgottenAt: attribute('expires_at', Seconds, epochSeconds),
  jobId: optional(jobIdField()),
}));

export interface Upload extends Omit<Stored<typeof storedUpload>, 'openUntil' | 'forgottenAt'> {
  /** Until when a job may use the upload. */
  readonly expiresAt: Date;
}

const daySeconds = 24 * 60 * 60;

/**
 * How long the URL accepts the file, and how long a job may use it. An unused file is removed a day
 * later. Its record stays a while longer, in case sweeps are delayed.
 */
export const uploadSeconds = {
  address: 60 * 60,
  open: daySeconds,
  untilRemoval: daySeconds,
  untilForgotten: 6 * daySeconds,
} as const;

/** We make upload ids ourselves, so text of another form cannot be one. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Rounds to whole seconds, as in response bodies and times to live. */
export function secondsLater(at: Date, seconds: number): Date {
  return new Date((Math.floor(at.getTime() / 1000) + seconds) * 1000);
}

/** Writes an upload that no job has used. */
export function newUploadToItem({ id, owner, fileName, bytes, expiresAt }: Omit<Upload, 'jobId'>) {
  const forgottenAt = secondsLater(expiresAt, uploadSeconds.untilForgotten);
  return {
    ...uploadKey(owner, id),
    ...storedUpload.format({ id, owner, fileName, bytes, openUntil: expiresAt, forgottenAt }),
    ...dueKeys('UPLOADS', secondsLater(expiresAt, uploadSeconds.untilRemoval)),
  };
}

export function uploadFromItem(stored: unknown): Upload {
  const { openUntil, forgottenAt, ...upload } = storedUpload.parse(stored);
  return { ...upload, expiresAt: openUntil ?? forgottenAt };
}

export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
