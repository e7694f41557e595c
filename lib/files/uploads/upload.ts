import type { JobId, UserId } from '#lib/catalog/identifiers.ts';

/** A zip that its owner sends to the storage, for one job. */
export interface Upload {
  readonly id: string;
  readonly owner: UserId;
  readonly fileName: string;
  readonly bytes: number;
  /** Until when a job may use the upload. */
  readonly expiresAt: Date;
  /** The job that uses the upload. */
  readonly jobId?: JobId | undefined;
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
