/**
 * Processor time of one request in its bundled function, and of loading the bundle, in
 * milliseconds: medians that `npm run bench:functions` printed on one core of a small server.
 * `calls` are the round trips to the table that a request waits for.
 */
export const measuredTimes = {
  coldStartMs: 82,
  submission: { cpuMs: 3.0, calls: 2 },
  singleJob: { cpuMs: 1.5, calls: 1 },
  pageOf100Jobs: { cpuMs: 4.7, calls: 1 },
  ownQuotas: { cpuMs: 1.9, calls: 1 },
} as const;
