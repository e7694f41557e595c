import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SystemName } from '#lib/catalog/identifiers.ts';

/** Metrics are lines of the log (EMF) that CloudWatch reads; the dashboard names them from here. */
export const metricNamespace = 'Slipway';

export const metricNames = {
  submissions: 'Submissions',
  refusals: 'Refusals',
  stageChanges: 'StageChanges',
  oldestDueSeconds: 'OldestDueSeconds',
  systemHealth: 'SystemHealth',
  accountDrift: 'AccountDrift',
} as const;

const metrics = new Metrics({ namespace: metricNamespace });

/** A job was accepted, and so entered its first stage. */
export function countSubmission(hpc: SystemName, stage: string): void {
  emit(metricNames.submissions, MetricUnit.Count, 1, { hpc });
  countStageChange(hpc, stage);
}

export function countStageChange(hpc: SystemName, stage: string): void {
  emit(metricNames.stageChanges, MetricUnit.Count, 1, { hpc, stage });
}

/** `reason` is the name of a problem, one of a short list: a metric per value is affordable. */
export function countRefusal(reason: string): void {
  emit(metricNames.refusals, MetricUnit.Count, 1, { reason });
}

export function reportOldestDue(hpc: SystemName, seconds: number): void {
  emit(metricNames.oldestDueSeconds, MetricUnit.Seconds, seconds, { hpc });
}

/** 1 for an HPC system that answers, 0 for one that does not: its average is the share of both. */
export function reportSystemHealth(hpc: SystemName, healthy: boolean): void {
  emit(metricNames.systemHealth, MetricUnit.Count, healthy ? 1 : 0, { hpc });
}

/** How many accounts a walk found that do not add up. */
export function reportAccountDrift(accounts: number): void {
  emit(metricNames.accountDrift, MetricUnit.Count, accounts, {});
}

/**
 * One line per metric, because dimensions belong to a whole line. `singleMetric` would do that by
 * itself, with a console of its own for each.
 */
function emit(
  name: string,
  unit: (typeof MetricUnit)['Count' | 'Seconds'],
  value: number,
  dimensions: Readonly<Record<string, string>>,
): void {
  metrics.addDimensions(dimensions);
  metrics.addMetric(name, unit, value);
  metrics.publishStoredMetrics();
}
