import type { SystemName } from '#lib/catalog/identifiers.ts';
import { readEnvironment, TelemetryEnvironment } from '#lib/config.ts';

/** Metrics are lines of the log (EMF) that CloudWatch reads; the dashboard names them from here. */
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

const settings = readEnvironment(TelemetryEnvironment);

/** A job was accepted, and so entered its first stage. */
export function countSubmission(hpc: SystemName, stage: string): void {
  emit(metricNames.submissions, 'Count', 1, { hpc });
  countStageChange(hpc, stage);
}

export function countStageChange(hpc: SystemName, stage: string): void {
  emit(metricNames.stageChanges, 'Count', 1, { hpc, stage });
}

/** `reason` is the name of a problem, one of a short list: a metric per value is affordable. */
export function countRefusal(reason: string): void {
  emit(metricNames.refusals, 'Count', 1, { reason });
}

export function reportOldestDue(hpc: SystemName, seconds: number): void {
  emit(metricNames.oldestDueSeconds, 'Seconds', seconds, { hpc });
}

/** 1 for an HPC system that answers, 0 for one that does not: its average is the share of both. */
export function reportSystemHealth(hpc: SystemName, healthy: boolean): void {
  emit(metricNames.systemHealth, 'Count', healthy ? 1 : 0, { hpc });
}

/** How many accounts a walk found that do not add up. */
export function reportAccountDrift(accounts: number): void {
  emit(metricNames.accountDrift, 'Count', accounts, {});
}

/** A change of the table that nothing could be made of. */
export function countDamagedRecord(): void {
  emit(metricNames.damagedRecords, 'Count', 1, {});
}

/** How large a partition of the table may be by now, of those that were asked for it. */
export function reportPartitionSize(gigabytes: number): void {
  emit(metricNames.partitionGigabytes, 'Gigabytes', gigabytes, {});
}

/** One line per metric, because dimensions belong to a whole line. */
function emit(
  name: string,
  unit: 'Count' | 'Seconds' | 'Gigabytes',
  value: number,
  dimensions: Readonly<Record<string, string>>,
): void {
  if (settings.POWERTOOLS_METRICS_DISABLED) return;
  const all = { service: settings.POWERTOOLS_SERVICE_NAME, ...dimensions };
  const described = {
    Namespace: metricNamespace,
    Dimensions: [Object.keys(all)],
    Metrics: [{ Name: name, Unit: unit }],
  };
  const head = { Timestamp: Date.now(), CloudWatchMetrics: [described] };
  process.stdout.write(`${JSON.stringify({ _aws: head, ...all, [name]: value })}\n`);
}
