import type { SystemName } from '#lib/catalog/identifiers.ts';
import { openProvided } from '#lib/outbound/in-process.ts';

/** Metrics are log lines (EMF) that CloudWatch reads. The dashboard uses these names. */
export const metricNamespace = 'Slipway';

export const metricNames = {
  submissions: 'Submissions',
  refusals: 'Refusals',
  stageChanges: 'StageChanges',
  oldestDueSeconds: 'OldestDueSeconds',
  systemSilence: 'SystemSilence',
  accountDrift: 'AccountDrift',
  damagedRecords: 'DamagedRecords',
  tableThrottles: 'TableThrottles',
  tableErrors: 'TableErrors',
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

export type MetricName = (typeof metricNames)[keyof typeof metricNames] | KeptName;

/** An amount to count, or a value that was seen. Labels never name jobs, users or what users write. */
export interface Measurement {
  readonly name: MetricName;
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

const keeper = openProvided<(measured: Measurement) => void>(() => undefined);

/** Gives measurements to a process that serves them (local/metrics). On AWS nobody keeps any. */
export const keepMeasurements = keeper.provide;

export function measure(name: MetricName, value: number, labels: Measurement['labels']): void {
  keeper.inUse()({ name, value, labels });
}

/** Counts a job that was settled, and how long it waited if it ran. */
export function countJobEnd(hpc: SystemName, outcome: string, waitedSeconds?: number): void {
  measure('JobEnds', 1, { hpc, outcome });
  if (waitedSeconds !== undefined) measure('WaitSeconds', waitedSeconds, { hpc });
}

export function countDeliveryTry(state: string): void {
  measure('DeliveryTries', 1, { state });
}

export function countMailTry(outcome: 'taken' | 'refused'): void {
  measure('MailTries', 1, { outcome });
}

export function countScheduleRun(schedule: string, outcome: 'succeeded' | 'failed'): void {
  measure('ScheduleRuns', 1, { schedule, outcome });
}

/** Counts events that a function failed to take, again and again. On AWS they are dead letters. */
export function countDroppedEvents(receiver: string, events: number): void {
  measure('EventsDropped', events, { receiver });
}
