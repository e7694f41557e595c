/**
 * What one request consumes of the table. The integration test request-cost.test.ts measures each
 * again and fails where one has changed.
 */
export const measuredUnits = {
  submission: { readUnits: 0, writeUnits: 23 },
  submissionWithKey: { readUnits: 0, writeUnits: 25 },
  firstContact: { readUnits: 2, writeUnits: 17 },
  singleJob: { readUnits: 1, writeUnits: 0 },
  pageOf100Jobs: { readUnits: 13, writeUnits: 0 },
  ownQuotas: { readUnits: 1, writeUnits: 0 },
  /** What the sweeps do for one job: hand it over, look after it once, end it. */
  handOver: { readUnits: 3.5, writeUnits: 6 },
  followUp: { readUnits: 1.5, writeUnits: 3 },
  ending: { readUnits: 1.5, writeUnits: 21 },
  /** Adding its end to the sums, alone: several at once share what they have in common. */
  counting: { readUnits: 5, writeUnits: 10 },
} as const;
