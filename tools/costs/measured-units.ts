/**
 * What one request consumes of the table. The integration test request-cost.test.ts measures each
 * again and fails where one has changed.
 */
export const measuredUnits = {
  submission: { readUnits: 0, writeUnits: 19 },
  submissionWithKey: { readUnits: 0, writeUnits: 21 },
  firstContact: { readUnits: 2, writeUnits: 11 },
  singleJob: { readUnits: 1, writeUnits: 0 },
  pageOf100Jobs: { readUnits: 13, writeUnits: 0 },
  ownQuotas: { readUnits: 1, writeUnits: 0 },
  /** What the sweeps do for one job: hand it over, look after it once, end it. */
  handOver: { readUnits: 1.5, writeUnits: 12 },
  followUp: { readUnits: 0.5, writeUnits: 7 },
  ending: { readUnits: 0.5, writeUnits: 23 },
} as const;
