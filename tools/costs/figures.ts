import { defaultPrice } from '#lib/catalog/kinds/fargate.ts';
import { addressHour } from '#lib/charging/price-job.ts';

/**
 * Capacity units of the table that one request consumes. The integration test request-cost.test.ts
 * measures each of them and fails if one has changed.
 */
export const measuredUnits = {
  submission: { readUnits: 0, writeUnits: 23 },
  submissionWithKey: { readUnits: 0, writeUnits: 25 },
  firstContact: { readUnits: 2, writeUnits: 17 },
  singleJob: { readUnits: 1, writeUnits: 0 },
  pageOf100Jobs: { readUnits: 13, writeUnits: 0 },
  ownQuotas: { readUnits: 1, writeUnits: 0 },
  /** What sweeps do for one job: hand it over, check it once, end it. */
  handOver: { readUnits: 3.5, writeUnits: 6 },
  followUp: { readUnits: 1.5, writeUnits: 3 },
  ending: { readUnits: 1.5, writeUnits: 21 },
  /** Adds one end to the sums. Several ends counted together cost less each. */
  counting: { readUnits: 5, writeUnits: 10 },
} as const;

/** List prices in US dollars of us-east-1, without free tiers and discounts, November 2026. */
export const prices = {
  apiRequests: 1.0 / 1e6,
  lambdaRequests: 0.2 / 1e6,
  lambdaGbSeconds: 0.0000133334,
  writeUnits: 0.625 / 1e6,
  readUnits: 0.125 / 1e6,
  tableGbMonths: 0.25,
  recoveryGbMonths: 0.2,
  busEvents: 1.0 / 1e6,
  logGb: 0.5,
  traces: 5.0 / 1e6,
  /**
   * A job on AWS Batch: Fargate on demand, Linux on x86, and its public IPv4 address, in us-east-1
   * (origins beside the prices in lib/catalog/kinds/fargate.ts).
   */
  fargate: { ...defaultPrice, addressHour },
  /** Prices that do not depend on requests. */
  monthly: {
    key: 1.0,
    secret: 0.4,
    alarmMetric: 0.1,
    dashboard: 3.0,
    customMetric: 0.3,
  },
} as const;

/**
 * Processor milliseconds of one request in its bundled function, and of loading the bundle: medians
 * on one core of a small server. They were measured before the functions were made leaner
 * (docs/performance/functions.md). `npm run bench -- warm` and `npm run bench -- cold` measure them.
 * `calls` counts the round trips to the table that a request waits for.
 */
export const measuredTimes = {
  coldStartMs: 82,
  submission: { cpuMs: 3.0, calls: 2 },
  singleJob: { cpuMs: 1.5, calls: 1 },
  pageOf100Jobs: { cpuMs: 4.7, calls: 1 },
  ownQuotas: { cpuMs: 1.9, calls: 1 },
} as const;
