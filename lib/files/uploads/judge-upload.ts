import {
  NoQuotaError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
} from '#lib/quotas/errors.ts';
import { kilobytesOf } from '#lib/quotas/holds.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import { TooManyUploadsError, UploadsTooLargeError } from '../errors.ts';
import type { Upload } from './upload.ts';

/** How many uploads of one user may wait for their jobs at a time. */
export const maxOpenUploads = 10;

interface Circumstances {
  readonly quotas: readonly Quota[];
  /** Those for which no job has come yet. */
  readonly open: readonly Pick<Upload, 'bytes'>[];
  /** The project that is named where there is no quota at all. */
  readonly project: ProjectKey;
  readonly now: Date;
}

/**
 * Why no file of so many bytes may be sent; nothing where it may. Nothing is held yet, but nobody
 * should send what no job of theirs could begin with, nor keep more in the storage than their
 * quotas have room for.
 */
export function judgeUpload(
  bytes: number,
  { quotas, open, project, now }: Circumstances,
): Error | undefined {
  const refusals = quotas.map((quota) => refuseSubmissions(quota, now));
  const usable = quotas.filter((_, index) => !refusals[index]);
  const [roomiest] = usable.toSorted((a, b) => b.space.left - a.space.left);
  if (!roomiest) return refusals.find((refusal) => refusal) ?? new NoQuotaError(project);
  const kilobytes = kilobytesOf(bytes);
  const { time, space } = roomiest;
  if (kilobytes > space.left) {
    const left = { seconds: time.left, kilobytes: space.left };
    return new QuotaExceededError(accountOf(roomiest), { seconds: 0, kilobytes }, left);
  }
  if (open.length >= maxOpenUploads) return new TooManyUploadsError(maxOpenUploads, open.length);
  const wanted = sum([...open, { bytes }].map((upload) => kilobytesOf(upload.bytes)));
  const room = sum(usable.map((quota) => quota.space.left));
  return wanted > room ? new UploadsTooLargeError(room, wanted) : undefined;
}

function refuseSubmissions(quota: Quota, now: Date): Error | undefined {
  const { bans, validUntil } = quota;
  const ban = bans.everywhere ?? bans.here;
  if (ban !== undefined) return new SubmissionBannedError(accountOf(quota), ban);
  return validUntil && validUntil <= now
    ? new QuotaExpiredError(accountOf(quota), validUntil)
    : undefined;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
