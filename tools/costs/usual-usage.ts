import type { Usage } from './compute-costs.ts';

/** What a client asks for each job, unless something else is said. */
export const usualUsage = {
  looksPerJob: 20,
  pagesPerJob: 1,
  quotaLooksPerJob: 1,
  minutesPerJob: 30,
  monthsKept: 12,
} as const satisfies Omit<Usage, 'jobs'>;
