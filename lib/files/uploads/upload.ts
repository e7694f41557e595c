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
  /** What the storage calls its parts, and their length. Missing if it is sent in one piece. */
  partsId: optional(text('parts_id')),
  partBytes: optional(number('part_bytes')),
}));

export interface Upload extends Omit<Stored<typeof storedUpload>, 'openUntil' | 'forgottenAt'> {
  /** Until when a job may use the upload. */
  readonly expiresAt: Date;
}

/** More than any job was seen to need, and what a zip may expand to. */
export const maxUploadBytes = 100_000_000_000;

/** S3 takes 10,000 parts. A part that breaks off is sent again from its start. */
export const usualPartBytes = 64_000_000;

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

/** Rounds to whole seconds, as in response bodies and times to live. */
export function secondsLater(at: Date, seconds: number): Date {
  return new Date((Math.floor(at.getTime() / 1000) + seconds) * 1000);
}

/** Writes an upload that no job has used. */
export function newUploadToItem({ expiresAt, ...upload }: Omit<Upload, 'jobId'>) {
  const { owner, id } = upload;
  const forgottenAt = secondsLater(expiresAt, uploadSeconds.untilForgotten);
  return {
    ...uploadKey(owner, id),
    ...storedUpload.format({ ...upload, openUntil: expiresAt, forgottenAt }),
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
