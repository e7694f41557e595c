import type { JobId, UserId } from '#lib/catalog/identifiers.ts';

/** A zip that its owner sends to the storage by themselves, for one job to come. */
export interface Upload {
  readonly id: string;
  readonly owner: UserId;
  readonly fileName: string;
  readonly bytes: number;
  /** Until when a job may begin with it. */
  readonly expiresAt: Date;
  /** The job that began with it. */
  readonly jobId?: JobId | undefined;
}

const daySeconds = 24 * 60 * 60;

/**
 * How long the address takes the file, and how long a job may begin with it. If none did, the file
 * is removed a day later; its record is kept a while longer, should the clock stand still.
 */
export const uploadSeconds = {
  address: 60 * 60,
  open: daySeconds,
  untilRemoval: daySeconds,
  untilForgotten: 6 * daySeconds,
} as const;

/** Upload ids are made by us: text of another form needs no look. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Bodies show whole seconds, and so do times to live. */
export function secondsLater(at: Date, seconds: number): Date {
  return new Date((Math.floor(at.getTime() / 1000) + seconds) * 1000);
}
