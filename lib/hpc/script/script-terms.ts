/** Exit codes of the script itself. They are high, because commands rarely use such codes. */
export const scriptExits = {
  noDirectory: 240,
  inputNotFetched: 241,
  inputNotUnpacked: 242,
  resultsNotSent: 243,
  resultsTooLarge: 244,
  timeLimit: 245,
  outputNotSent: 236,
  addressNotFetched: 239,
  noRoom: 238,
  noProjectFolder: 237,
  /** Only of jobs in images. */
  imageNotFetched: 248,
} as const;

/**
 * The time from the first to the last try of a script that calls the service. The pauses in between
 * are random, so that many jobs do not call at once, and short, so that a job soon notices a service
 * that is back.
 */
export const patienceSeconds = 300;

/** The time limit of a job, and the part of it that is reserved for sending results. */
export interface CommandLimit {
  readonly limitSeconds: number;
  readonly reserveSeconds: number;
}

/** Reserves a tenth of the time, up to a minute. A job that its system ends can send nothing. */
export function limitOf(minutes: number): CommandLimit {
  const limitSeconds = minutes * 60;
  const reserveSeconds = Math.min(60, Math.floor(limitSeconds / 10));
  return { limitSeconds, reserveSeconds };
}

/**
 * Gives input files a time that no command writes, so that changes show even on file systems with
 * whole seconds. A file with the same size, times and inode after the command is unchanged.
 */
export const inputTime = 1_000_000_007;

/** The highest number by which a run calls this service. */
export const mostRuns = 999;
