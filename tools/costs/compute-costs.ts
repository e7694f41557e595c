import type { Parts } from './count-parts.ts';
import { measuredTimes, measuredUnits, prices } from './figures.ts';

/** A month's use of the service. */
export interface Usage {
  readonly jobs: number;
  /** Reads of a single job, per job. */
  readonly looksPerJob: number;
  /** Pages of 100 jobs that are listed, per job. */
  readonly pagesPerJob: number;
  /** Reads of one's own quotas, per job. */
  readonly quotaLooksPerJob: number;
  /** Minutes between a job's hand-over and its end. It is checked once a minute. */
  readonly minutesPerJob: number;
  /** Months of jobs that are kept in the table. */
  readonly monthsKept: number;
}

/** Defaults of `npm run costs`: what clients ask for each job. */
export const usualUsage = {
  looksPerJob: 20,
  pagesPerJob: 1,
  quotaLooksPerJob: 1,
  minutesPerJob: 30,
  monthsKept: 12,
} as const satisfies Omit<Usage, 'jobs'>;

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
/** The number of requests per cold start. */
const requestsPerColdStart = 200;
/**
 * A job weighs 530 bytes (13 read units hold 100 of them) and stands in the table and four
 * indexes, its request weighs 450, its ledger line 350 and the mark that it was counted 170; each
 * entry costs 100 more. Sums do not grow with jobs.
 */
const storedBytesPerJob = 5 * 630 + 550 + 450 + 270;
/** The line of the function, of the gateway, and the metrics, per request. */
const loggedBytesPerRequest = 1_500;
/** A run by the clock that finds nothing to do: it asks the table and ends. */
const billedMsPerRun = 50;
const secondsPerMonth = 30 * 24 * 60 * 60;
/** X-Ray traces this share of the requests after the first of each second. */
const tracedShare = 0.05;
/** Functions of the clock ask their shards every minute, one of them twice, and note who answers. */
const sweepsPerMonth = 43_200;
const sweepUnits = { readUnits: 26, writeUnits: 2 };

export function computeCosts(usage: Usage, parts: Parts): CostLine[] {
  const requests: Record<Request, number> = {
    submission: usage.jobs,
    singleJob: usage.jobs * usage.looksPerJob,
    pageOf100Jobs: usage.jobs * usage.pagesPerJob,
    ownQuotas: usage.jobs * usage.quotaLooksPerJob,
  };
  const total = sum(requests, () => 1);
  const runs = total + parts.scheduledRuns;
  const writeUnits =
    sum(requests, (request) => measuredUnits[request].writeUnits) + lifeUnits(usage, 'writeUnits');
  const readUnits =
    sum(requests, (request) => measuredUnits[request].readUnits) + lifeUnits(usage, 'readUnits');
  const billedSeconds = (sum(requests, billedMs) + parts.scheduledRuns * billedMsPerRun) / 1000;
  const storedGb = (usage.jobs * usage.monthsKept * storedBytesPerJob) / 1e9;
  const loggedGb = (runs * loggedBytesPerRequest) / 1e9;
  return [
    line('HTTP API', total, 'requests', prices.apiRequests),
    line('Lambda', runs, 'requests', prices.lambdaRequests),
    line('Lambda', billedSeconds * memoryGb, 'GB-seconds', prices.lambdaGbSeconds),
    line('DynamoDB', writeUnits, 'write units', prices.writeUnits),
    line('DynamoDB', readUnits, 'read units', prices.readUnits),
    line('DynamoDB', storedGb, 'GB stored', prices.tableGbMonths + prices.recoveryGbMonths),
    line('CloudWatch', loggedGb, 'GB logged', prices.logGb),
    line('X-Ray', countTraces(runs), 'traces', prices.traces),
    ...fixedLines(usage, parts),
  ];
}

/**
 * X-Ray takes the first run of each second and one in twenty of the others. How many that are
 * depends on how runs are spread; this is the most, with as many in each second.
 */
export function countTraces(runs: number): number {
  const first = Math.min(runs, secondsPerMonth);
  return first + (runs - first) * tracedShare;
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

/** A metric of ours costs something in the hours in which it is written. */
function fixedLines({ jobs }: Usage, parts: Parts): CostLine[] {
  const { key, secret, alarmMetric, dashboard, customMetric } = prices.monthly;
  const { always, withJobs } = parts.customMetrics;
  return [
    line('CloudWatch', parts.alarmMetrics, 'metrics of alarms', alarmMetric),
    line('CloudWatch', jobs > 0 ? withJobs : always, 'own metrics', customMetric),
    line('CloudWatch', parts.dashboards, 'dashboards', dashboard),
    line('KMS', parts.keys, 'keys', key),
    line('Secrets Manager', parts.secrets, 'secrets', secret),
  ];
}
