import * as v from 'valibot';
import { count, timestamp, whole } from './fields.ts';

/** A file that a job wrote. */
export const JobFile = v.strictObject({
  fileid: v.string(),
  filename: v.string(),
  length: count,
  /** Where only the end is kept: how many bytes came before the first one. */
  starts_at: v.optional(whole),
});

/** Whether somebody follows a running job, so that it sends what it writes. */
export const Followed = v.strictObject({ followed: v.boolean() });

/** Where a zip can be sent to. */
export const Upload = v.strictObject({
  upload_id: v.string(),
  filename: v.string(),
  length: whole,
  expires: timestamp,
  method: v.literal('PUT'),
  address: v.pipe(v.string(), v.url()),
  headers: v.record(v.string(), v.string()),
});
