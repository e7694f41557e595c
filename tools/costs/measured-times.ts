/**
 * Processor time of one request in its bundled function, and of loading the bundle, in
 * milliseconds: medians on one core of a small server, from before the functions were made leaner
 * (docs/performance/functions.md). `npm run bench:warm` and `npm run bench:cold` print them anew.
 * `calls` are the round trips to the table that a request waits for.
 */
export const measuredTimes = {
  coldStartMs: 82,
  submission: { cpuMs: 3.0, calls: 2 },
  singleJob: { cpuMs: 1.5, calls: 1 },
  pageOf100Jobs: { cpuMs: 4.7, calls: 1 },
  ownQuotas: { cpuMs: 1.9, calls: 1 },
} as const;
