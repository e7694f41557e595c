import type { LimitLevel } from './job-folder.ts';

export interface Limits {
  readonly level: LimitLevel;
  /** Says in a sentence for people which limits hold. */
  readonly sentence: string;
}

/** Finds out how this machine limits the memory and the processes of a job. */
export async function detectLimits(): Promise<Limits> {
  return {
    level: 'watched',
    sentence: 'Memory and processes of a job are limited by prlimit and watched every second.',
  };
}
