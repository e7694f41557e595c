import type { Parts } from '#tools/costs/count-parts.ts';

/** A small deployment, in round numbers. */
export const parts: Parts = {
  alarms: 3,
  alarmMetrics: 5,
  dashboards: 1,
  keys: 2,
  secrets: 4,
  logGroups: 7,
  scheduledRuns: 43_200,
  logsSchedules: false,
  traced: true,
  customMetrics: { always: 5, withJobs: 20 },
};
