import { measuredTimes } from './measured-times.ts';
import { measuredUnits } from './measured-units.ts';
import { prices } from './prices.ts';

/** How a service is used in a month. */
export interface Usage {
  readonly jobs: number;
  /** Looks at a single job, per job. */
  readonly looksPerJob: number;
  /** Pages of 100 jobs that are listed, per job. */
  readonly pagesPerJob: number;
  /** Looks at the own quotas, per job. */
  readonly quotaLooksPerJob: number;
  /** Minutes between a job's hand-over and its end: it is looked after once in each. */
  readonly minutesPerJob: number;
  /** Months of jobs that are kept in the table. */
  readonly monthsKept: number;
}

export interface CostLine {
  readonly what: string;
  readonly amount: number;
  readonly unit: string;
  readonly dollars: number;
}

type Request = 'submission' | 'singleJob' | 'pageOf100Jobs' | 'ownQuotas';

const memoryGb = 0.5;
/** Lambda gives a whole processor at 1,769 MB, and less in proportion. */
const processorShare = 512 / 1769;
/** A round trip to the table from Lambda in the same region. */
const callMs = 5;
/** One container in this many requests is new. */
const requestsPerColdStart = 200;
/**
 * A job weighs 530 bytes (13 read units hold 100 of them) and stands in the table and four
 * indexes, its request weighs 450, its ledger line 350 and the mark that it was counted 170; each
 * entry costs 100 more. Sums do not grow with jobs.
 */
const storedBytesPerJob = 5 * 630 + 550 + 450 + 270;
/** The line of the function, of the gateway, and the metrics, per request. */
const loggedBytesPerRequest = 1_500;
/** X-Ray takes the first request of each second and one in twenty of the others. */
const tracedShare = 0.05;
/** Counted in the templates; metrics are the reasons, stages and systems that occur. */
export const fixed = { alarms: 119, customMetrics: 43, secrets: 4, keys: 2 };
/** Three functions of the clock run every minute, ask their shards, and note which systems answer. */
const sweepsPerMonth = 43_200;
const sweepUnits = { readUnits: 18, writeUnits: 2 };

export function computeCosts(usage: Usage): CostLine[] {
  const requests: Record<Request, number> = {
    submission: usage.jobs,
    singleJob: usage.jobs * usage.looksPerJob,
    pageOf100Jobs: usage.jobs * usage.pagesPerJob,
    ownQuotas: usage.jobs * usage.quotaLooksPerJob,
  };
  const total = sum(requests, () => 1);
  const writeUnits =
    sum(requests, (request) => measuredUnits[request].writeUnits) + lifeUnits(usage, 'writeUnits');
  const readUnits =
    sum(requests, (request) => measuredUnits[request].readUnits) + lifeUnits(usage, 'readUnits');
  const gbSeconds = (sum(requests, billedMs) / 1000) * memoryGb;
  const storedGb = (usage.jobs * usage.monthsKept * storedBytesPerJob) / 1e9;
  const loggedGb = (total * loggedBytesPerRequest) / 1e9;
  return [
    line('HTTP API', total, 'requests', prices.apiRequests),
    line('Lambda', total, 'requests', prices.lambdaRequests),
    line('Lambda', gbSeconds, 'GB-seconds', prices.lambdaGbSeconds),
    line('DynamoDB', writeUnits, 'write units', prices.writeUnits),
    line('DynamoDB', readUnits, 'read units', prices.readUnits),
    line('DynamoDB', storedGb, 'GB stored', prices.tableGbMonths + prices.recoveryGbMonths),
    line('CloudWatch', loggedGb, 'GB logged', prices.logGb),
    line('X-Ray', total * tracedShare, 'traces', prices.traces),
    line('Fixed', 1, 'month', fixedDollars()),
  ];
}

function lifeUnits({ jobs, minutesPerJob }: Usage, kind: 'readUnits' | 'writeUnits'): number {
  const { handOver, followUp, ending, counting } = measuredUnits;
  const perJob = handOver[kind] + minutesPerJob * followUp[kind] + ending[kind] + counting[kind];
  return jobs * perJob + sweepsPerMonth * sweepUnits[kind];
}

/** Billed time of one request: its processor time on a part of a processor, and its waiting. */
export function billedMs(request: Request): number {
  const { cpuMs, calls } = measuredTimes[request];
  const cold = measuredTimes.coldStartMs / requestsPerColdStart;
  return (cpuMs + cold) / processorShare + calls * callMs;
}

function sum(requests: Record<Request, number>, each: (request: Request) => number): number {
  return (
    requests.submission * each('submission') +
    requests.singleJob * each('singleJob') +
    requests.pageOf100Jobs * each('pageOf100Jobs') +
    requests.ownQuotas * each('ownQuotas')
  );
}

function line(what: string, amount: number, unit: string, price: number): CostLine {
  return { what, amount, unit, dollars: amount * price };
}

function fixedDollars(): number {
  const { keys, secret, alarm, dashboard, customMetric } = prices.monthly;
  return (
    keys * fixed.keys +
    dashboard +
    secret * fixed.secrets +
    alarm * fixed.alarms +
    customMetric * fixed.customMetrics
  );
}
