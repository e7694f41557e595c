import { addDurations, countDuration, type Durations, noDurations } from './durations.ts';
import type { EndedJob } from './ended-job.ts';

export interface UsageSum {
  /** Seconds charged. */
  readonly used: number;
  readonly jobs: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly waited: Durations;
  readonly ran: Durations;
}

export const noUsage: UsageSum = {
  used: 0,
  jobs: 0,
  failed: 0,
  cancelled: 0,
  waited: noDurations,
  ran: noDurations,
};

export function usageOf({ used, outcome, waited, ran }: EndedJob): UsageSum {
  return {
    used,
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
    jobs: some.jobs + more.jobs,
    failed: some.failed + more.failed,
    cancelled: some.cancelled + more.cancelled,
    waited: addDurations(some.waited, more.waited),
    ran: addDurations(some.ran, more.ran),
  };
}
