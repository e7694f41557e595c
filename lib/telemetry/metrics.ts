import type { SystemName } from '#lib/catalog/identifiers.ts';
import { readEnvironment, TelemetryEnvironment } from '#lib/config.ts';

/** Metrics are log lines (EMF) that CloudWatch reads. The dashboard uses these names. */
export const metricNamespace = 'Slipway';

export const metricNames = {
  submissions: 'Submissions',
  refusals: 'Refusals',
  stageChanges: 'StageChanges',
  oldestDueSeconds: 'OldestDueSeconds',
  systemHealth: 'SystemHealth',
  accountDrift: 'AccountDrift',
  damagedRecords: 'DamagedRecords',
  partitionGigabytes: 'PartitionGigabytes',
} as const;

/**
 * What only a process that keeps figures itself measures. On AWS, lines for each call would cost more
 * than they tell, and Lambda, SQS and the access log answer the same questions.
 */
type KeptName =
  | 'DeliveryTries'
  | 'EventsDropped'
  | 'JobEnds'
  | 'MailTries'
  | 'ScheduleRuns'
  | 'SystemCallSeconds'
  | 'WaitSeconds';

type MetricName = (typeof metricNames)[keyof typeof metricNames] | KeptName;

/** An amount to count, or a value that was seen. Labels never name jobs, users or what users write. */
export interface Measurement {
  readonly name: MetricName;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

let keeper: ((measured: Measurement) => void) | undefined;

/** Gives measurements to this process, which serves them (local/metrics). Without a keeper, to nobody. */
export function keepMeasurements(own?: typeof keeper): void {
  keeper = own;
}

let known: ReturnType<typeof readSettings> | undefined;

/** Read with the first metric: one's own service sets them after this file is loaded. */
function readSettings() {
  return readEnvironment(TelemetryEnvironment);
}

/** Counts an accepted job, which also enters its first stage. */
export function countSubmission(hpc: SystemName, stage: string): void {
  emit(metricNames.submissions, 'Count', 1, { hpc });
  countStageChange(hpc, stage);
}

export function countStageChange(hpc: SystemName, stage: string): void {
  emit(metricNames.stageChanges, 'Count', 1, { hpc, stage });
}

/** `reason` is the name of a problem. There are few, so one metric per name is affordable. */
export function countRefusal(reason: string): void {
  emit(metricNames.refusals, 'Count', 1, { reason });
}

export function reportOldestDue(hpc: SystemName, seconds: number): void {
  emit(metricNames.oldestDueSeconds, 'Seconds', seconds, { hpc });
}

/** Reports 1 if a system answers and 0 if not, so that the average is its availability. */
export function reportSystemHealth(hpc: SystemName, healthy: boolean): void {
  emit(metricNames.systemHealth, 'Count', healthy ? 1 : 0, { hpc });
}

export function reportAccountDrift(accounts: number): void {
  emit(metricNames.accountDrift, 'Count', accounts, {});
}

/** Counts a change of the table that could not be read. */
export function countDamagedRecord(): void {
  emit(metricNames.damagedRecords, 'Count', 1, {});
}

/** Reports the upper estimate of the size of a sampled partition. */
export function reportPartitionSize(gigabytes: number): void {
  emit(metricNames.partitionGigabytes, 'Gigabytes', gigabytes, {});
}

/** Counts a job that was settled, and how long it waited if it ran. */
export function countJobEnd(hpc: SystemName, outcome: string, waitedSeconds?: number): void {
  keep('JobEnds', 1, { hpc, outcome });
  if (waitedSeconds !== undefined) keep('WaitSeconds', waitedSeconds, { hpc });
}

export function countDeliveryTry(state: string): void {
  keep('DeliveryTries', 1, { state });
}

export function countMailTry(outcome: 'taken' | 'refused'): void {
  keep('MailTries', 1, { outcome });
}

export function countScheduleRun(schedule: string, outcome: 'succeeded' | 'failed'): void {
  keep('ScheduleRuns', 1, { schedule, outcome });
}

/** Counts events that a function failed to take, again and again. On AWS they are dead letters. */
export function countDroppedEvents(receiver: string, events: number): void {
  keep('EventsDropped', events, { receiver });
}

function keep(name: MetricName, value: number, labels: Measurement['labels']): void {
  keeper?.({ name, value, labels });
}

/** Writes one line per metric, because dimensions apply to a whole line. */
function emit(
  name: MetricName,
  unit: 'Count' | 'Seconds' | 'Gigabytes',
  value: number,
  dimensions: Readonly<Record<string, string>>,
): void {
  keep(name, value, dimensions);
  known ??= readSettings();
  const settings = known;
  if (settings.METRICS_DISABLED) return;
  const all = { service: settings.SERVICE_NAME, ...dimensions };
  const described = {
    Namespace: metricNamespace,
    Dimensions: [Object.keys(all)],
    Metrics: [{ Name: name, Unit: unit }],
  };
  const head = { Timestamp: Date.now(), CloudWatchMetrics: [described] };
  process.stdout.write(`${JSON.stringify({ _aws: head, ...all, [name]: value })}\n`);
}
