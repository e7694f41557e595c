import type { listeners } from '#functions/listeners.ts';
import type { streams } from '#functions/streams.ts';
import type { Parts } from './count-parts.ts';
import { measuredTimes, measuredUnits, prices } from './figures.ts';

/** A month's use of the service. */
export interface Usage {
  readonly jobs: number;
  /** Reads of a single job, per job. */
  readonly looksPerJob: number;
  /** Listed pages of 100 jobs, per job. */
  readonly pagesPerJob: number;
  /** Reads of the user's own quotas, per job. */
  readonly quotaLooksPerJob: number;
  /** Minutes between a job's hand-over and its end. It is checked once a minute. */
  readonly minutesPerJob: number;
  /** Months for which jobs stay in the table. */
  readonly monthsKept: number;
}

/** The defaults of `npm run costs`. */
export const usualUsage = {
  looksPerJob: 20,
  pagesPerJob: 1,
  quotaLooksPerJob: 1,
  minutesPerJob: 30,
  monthsKept: 12,
} as const satisfies Omit<Usage, 'jobs'>;

const requestKinds = ['submission', 'singleJob', 'pageOf100Jobs', 'ownQuotas'] as const;
type Request = (typeof requestKinds)[number];

const memoryGb = 0.5;
/** Lambda gives a whole processor at 1,769 MB, and a proportional share below that. */
const processorShare = 512 / 1769;
/** The round trip to the table from Lambda in the same region. */
const callMs = 5;
const requestsPerColdStart = 200;
/**
 * A job has 530 bytes (13 read units hold 100 jobs) and is in the table and four indexes. Its
 * request has 450 bytes, its ledger line 350, and the mark that it was counted 170. DynamoDB adds
 * 100 bytes to each entry. Sums do not grow with the number of jobs.
 */
const storedBytesPerJob = 5 * 630 + 550 + 450 + 270;
/** The function's log line, the gateway's log line and the metrics, per request. */
const loggedBytesPerRequest = 1_500;
/** A run by the clock, the stream or the bus: a few calls to the table or the bus. */
const billedMsPerRun = 50;
/** A job's item is written at its submission, when its stage changes, and at its end. */
export const writesPerJob = 5;
/** `job.submitted`, a `job.stage-changed` for each later write, and `job.ended`. */
const eventsPerJob = writesPerJob + 1;
/**
 * Runs for one job if nothing else happens at the same time, so they are the most there can be:
 * busy streams put up to 100 changes into a run. Changes of a quota are in the same transaction and
 * partition as those of the job, so they cause no run of their own. The line that settles a job is
 * in another partition.
 */
const runsPerJob: Readonly<Record<keyof typeof streams | keyof typeof listeners, number>> = {
  'dispatch-jobs': 1,
  'publish-events': writesPerJob + 1,
  'hand-over-jobs': 1,
  // Only jobs that wait for others.
  'release-jobs': 0,
  // Only batches need it.
  'advance-batches': 0,
  'queue-deliveries': eventsPerJob,
  'count-ends': 1,
};
/** Events for others, one that hands the job over, and one that counts its end. */
const busEventsPerJob = eventsPerJob + 2;
const secondsPerMonth = 30 * 24 * 60 * 60;
/** X-Ray traces this share of the requests after the first of each second. */
const tracedShare = 0.05;
/** Scheduled functions query their shards every minute, two of them twice, and record health. */
const sweepsPerMonth = 43_200;
const sweepUnits = { readUnits: 31, writeUnits: 4 };

export function computeCosts(usage: Usage, parts: Parts) {
  const requests: Record<Request, number> = {
    submission: usage.jobs,
    singleJob: usage.jobs * usage.looksPerJob,
    pageOf100Jobs: usage.jobs * usage.pagesPerJob,
    ownQuotas: usage.jobs * usage.quotaLooksPerJob,
  };
  const total = sum(requests, () => 1);
  const backgroundRuns = parts.scheduledRuns + countJobRuns(usage.jobs);
  const runs = total + backgroundRuns;
  const writeUnits =
    sum(requests, (request) => measuredUnits[request].writeUnits) + lifeUnits(usage, 'writeUnits');
  const readUnits =
    sum(requests, (request) => measuredUnits[request].readUnits) + lifeUnits(usage, 'readUnits');
  const billedSeconds = (sum(requests, billedMs) + backgroundRuns * billedMsPerRun) / 1000;
  const storedGb = (usage.jobs * usage.monthsKept * storedBytesPerJob) / 1e9;
  const loggedRuns = parts.logsSchedules ? runs : runs - parts.scheduledRuns;
  const loggedGb = (loggedRuns * loggedBytesPerRequest) / 1e9;
  return [
    line('HTTP API', total, 'requests', prices.apiRequests),
    line('Lambda', runs, 'requests', prices.lambdaRequests),
    line('Lambda', billedSeconds * memoryGb, 'GB-seconds', prices.lambdaGbSeconds),
    line('DynamoDB', writeUnits, 'write units', prices.writeUnits),
    line('DynamoDB', readUnits, 'read units', prices.readUnits),
    line('DynamoDB', storedGb, 'GB stored', prices.tableGbMonths + prices.recoveryGbMonths),
    line('EventBridge', usage.jobs * busEventsPerJob, 'events', prices.busEvents),
    line('CloudWatch', loggedGb, 'GB logged', prices.logGb),
    line('X-Ray', parts.traced ? countTraces(runs) : 0, 'traces', prices.traces),
    ...fixedLines(usage, parts),
  ];
}

/** Counts the runs of functions that the stream and the bus call for jobs. */
export function countJobRuns(jobs: number): number {
  return jobs * Object.values(runsPerJob).reduce((total, runs) => total + runs, 0);
}

/**
 * Computes the most traces there can be. X-Ray traces the first run of each second and one in
 * twenty of the others, so there are most if the runs are spread evenly.
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

/**
 * Computes the billed time of a request: processor time on a share of a processor, plus waiting.
 */
export function billedMs(request: Request): number {
  const { cpuMs, calls } = measuredTimes[request];
  const cold = measuredTimes.coldStartMs / requestsPerColdStart;
  return (cpuMs + cold) / processorShare + calls * callMs;
}

function sum(requests: Record<Request, number>, each: (request: Request) => number): number {
  return requestKinds.reduce((total, kind) => total + requests[kind] * each(kind), 0);
}

function line(what: string, amount: number, unit: string, price: number) {
  return { what, amount, unit, dollars: amount * price };
}

/** Custom metrics are billed only for the hours in which they are written. */
function fixedLines({ jobs }: Usage, parts: Parts) {
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
