import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type metricNames, metricNamespace } from '#lib/telemetry/measurements.ts';

/** Shared by alarms and dashboard, so that both show the same numbers. */
export const fiveMinutes = Duration.minutes(5);

export type MetricName = (typeof metricNames)[keyof typeof metricNames];

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

/** Returns a metric that functions write themselves. */
export function ownMetric(
  metricName: MetricName,
  statistic: string,
  dimensionsMap: Readonly<Record<string, string>>,
  period = fiveMinutes,
): Metric {
  return new Metric({ namespace: metricNamespace, metricName, dimensionsMap, statistic, period });
}
