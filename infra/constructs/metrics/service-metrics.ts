import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames, metricNamespace } from '#lib/telemetry/metrics.ts';
import { fiveMinutes } from './table-metrics.ts';

type MetricName = (typeof metricNames)[keyof typeof metricNames];

/**
 * Searches for all values of the last dimension, such as reasons, systems or stages. New values
 * appear automatically. Every metric also has the dimension `service`.
 */
export function searchMetrics(
  service: string,
  name: MetricName,
  dimensions: readonly string[],
  statistic: string,
): IMetric {
  const schema = [metricNamespace, 'service', ...dimensions].join(',');
  const query = `{${schema}} MetricName="${name}" service="${service}"`;
  return new MathExpression({
    expression: `SEARCH('${query}', '${statistic}', ${fiveMinutes.toSeconds()})`,
    usingMetrics: {},
    label: '',
    period: fiveMinutes,
  });
}

/** Seconds that the oldest due job of a system has waited. */
export function oldestDue(service: string, hpc: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.oldestDueSeconds,
    dimensionsMap: { service, hpc },
    statistic: Stats.MAXIMUM,
    period: fiveMinutes,
  });
}

/** Changes of the table that a stream reader could not parse. */
export function damagedRecords(service: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.damagedRecords,
    dimensionsMap: { service },
    statistic: Stats.SUM,
    period: fiveMinutes,
  });
}

/** Size of the largest partition measured. */
export function partitionSize(service: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.partitionGigabytes,
    dimensionsMap: { service },
    statistic: Stats.MAXIMUM,
    period: Duration.days(1),
  });
}

/** Accounts with wrong balances. Reported once a day. */
export function accountDrift(service: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.accountDrift,
    dimensionsMap: { service },
    statistic: Stats.MAXIMUM,
    period: Duration.days(1),
  });
}
