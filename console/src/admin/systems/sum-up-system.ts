import { describeStage } from '#client/src/format/describe-stage.ts';
import type { Job } from '#client/src/index.ts';

export interface Load {
  readonly waiting: number;
  /** Everything else that lives. */
  readonly running: number;
  /** Of those that wait, the one that has waited longest. */
  readonly longest: Job | undefined;
}

/** What lives on a system, of its living jobs with the oldest first. */
export function sumUpSystem(living: readonly Job[]): Load {
  const waiting = living.filter((job) => describeStage(job).meaning === 'waiting');
  return { waiting: waiting.length, running: living.length - waiting.length, longest: waiting[0] };
}
