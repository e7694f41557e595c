import type { SystemName } from '#lib/catalog/identifiers.ts';
import { readEnvironment, TelemetryEnvironment } from '#lib/config.ts';
import { type MetricName, measure, metricNames, metricNamespace } from './measurements.ts';

const settings = readEnvironment(TelemetryEnvironment);

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

/** Says nothing if no job is due, because a metric costs in each hour in which it is written. */
export function reportOldestDue(hpc: SystemName, seconds: number): void {
  if (seconds > 0) emit(metricNames.oldestDueSeconds, 'Seconds', seconds, { hpc });
}

/** Counts a check that a system did not answer. */
export function countSystemSilence(hpc: SystemName): void {
  emit(metricNames.systemSilence, 'Count', 1, { hpc });
}

export function reportAccountDrift(accounts: number): void {
  if (accounts > 0) emit(metricNames.accountDrift, 'Count', accounts, {});
}

/** Counts a change of the table that could not be read. */
export function countDamagedRecord(): void {
  emit(metricNames.damagedRecords, 'Count', 1, {});
}

/** Counts an answer of the table that it is too busy, or that it failed. */
export function countTableFault(fault: 'tableErrors' | 'tableThrottles'): void {
  emit(metricNames[fault], 'Count', 1, {});
}

/** Reports the upper estimate of the size of a sampled partition. */
export function reportPartitionSize(gigabytes: number): void {
  emit(metricNames.partitionGigabytes, 'Gigabytes', gigabytes, {});
}

/** Writes one line per metric, because dimensions apply to a whole line. */
function emit(
  name: MetricName,
  unit: 'Count' | 'Seconds' | 'Gigabytes',
  value: number,
  dimensions: Readonly<Record<string, string>>,
): void {
  measure(name, value, dimensions);
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
