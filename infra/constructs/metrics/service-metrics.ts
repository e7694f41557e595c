import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames, metricNamespace } from '#lib/telemetry/metrics.ts';
import { fiveMinutes } from './table-metrics.ts';

type MetricName = (typeof metricNames)[keyof typeof metricNames];

/**
 * Every value of the last dimension, also those that appear tomorrow: a line per reason, system or
 * stage. `service` is a dimension of each metric.
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

/** Seconds for which the job that waits longest on a system has been due. */
export function oldestDue(service: string, hpc: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.oldestDueSeconds,
    dimensionsMap: { service, hpc },
    statistic: Stats.MAXIMUM,
    period: fiveMinutes,
  });
}

/** Changes of the table that a reader of the stream could make nothing of. */
export function damagedRecords(service: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.damagedRecords,
    dimensionsMap: { service },
    statistic: Stats.SUM,
    period: fiveMinutes,
  });
}

/** The largest partition of the table that was asked how large it is. */
export function partitionSize(service: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.partitionGigabytes,
    dimensionsMap: { service },
    statistic: Stats.MAXIMUM,
    period: Duration.days(1),
  });
}

/** Accounts that a walk found wrong: it comes by once a day, and so does the number. */
export function accountDrift(service: string): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName: metricNames.accountDrift,
    dimensionsMap: { service },
    statistic: Stats.MAXIMUM,
    period: Duration.days(1),
  });
}
