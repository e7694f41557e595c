import { addDurations, countDuration, type Durations, noDurations } from './durations.ts';
import type { EndedJob } from './ended-job.ts';

export interface UsageSum {
  /** Seconds charged. */
  readonly used: number;
  /**
   * Seconds that would have been charged if every job that ran had used all of its granted time.
   * Undefined if jobs are in the sum that were counted before this was.
   */
  readonly asked?: number | undefined;
  readonly jobs: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly waited: Durations;
  readonly ran: Durations;
}

export const noUsage: UsageSum = {
  used: 0,
  asked: 0,
  jobs: 0,
  failed: 0,
  cancelled: 0,
  waited: noDurations,
  ran: noDurations,
};

export function usageOf({ used, asked, outcome, waited, ran }: EndedJob): UsageSum {
  return {
    used,
    // A job that never ran says nothing about how much of its time it needed.
    asked: ran === undefined ? 0 : asked,
    jobs: 1,
    failed: outcome === 'failed' ? 1 : 0,
    cancelled: outcome === 'cancelled' ? 1 : 0,
    waited: countDuration(waited),
    ran: countDuration(ran),
  };
}

export function addUsage(some: UsageSum, more: UsageSum): UsageSum {
  return {
    used: some.used + more.used,
    ...(some.asked !== undefined && more.asked !== undefined && { asked: some.asked + more.asked }),
    jobs: some.jobs + more.jobs,
    failed: some.failed + more.failed,
    cancelled: some.cancelled + more.cancelled,
    waited: addDurations(some.waited, more.waited),
    ran: addDurations(some.ran, more.ran),
  };
}
