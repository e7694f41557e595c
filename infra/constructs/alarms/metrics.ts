import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { metricNames, metricNamespace } from '#lib/telemetry/metrics.ts';
import type { BusRule } from '../triggers/bus-subscription.ts';

export const fiveMinutes = Duration.minutes(5);

type MetricName = (typeof metricNames)[keyof typeof metricNames];

/**
 * Every value of the last dimension, also those that appear tomorrow: a line per reason, system or
 * stage. Powertools adds `service` to each metric.
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

/** How old, in milliseconds, the oldest change was that a function was told of. */
export function iteratorAge(lambda: IFunction): Metric {
  return lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: fiveMinutes });
}

/** Messages in a queue. */
export function waitingIn(queue: IQueue): Metric {
  const options = { statistic: Stats.MAXIMUM, period: fiveMinutes };
  return queue.metricApproximateNumberOfMessagesVisible(options);
}

/** Events that a rule could not deliver, and those that it could not even put aside. */
export function lostByRule({ busName, ruleName }: BusRule): Metric[] {
  return ['FailedInvocations', 'InvocationsFailedToBeSentToDlq'].map(
    (metricName) =>
      new Metric({
        namespace: 'AWS/Events',
        metricName,
        // A rule of an own bus has two dimensions, one of the default bus only its name.
        dimensionsMap: { EventBusName: busName, RuleName: ruleName },
        statistic: Stats.SUM,
        period: fiveMinutes,
      }),
  );
}

/**
 * DynamoDB and EventBridge write a metric only when they have something to count, and `a + b` has
 * no value where one of the two has none: such a sum would hardly ever ring. `SUM` of a list leaves
 * out what is missing.
 */
export function sumOf(label: string, metrics: readonly Metric[]): MathExpression {
  const named = metrics.map((metric, index): [string, Metric] => [`m${index}`, metric]);
  return new MathExpression({
    expression: `SUM([${named.map(([name]) => `FILL(${name}, 0)`).join(', ')}])`,
    label,
    usingMetrics: Object.fromEntries(named),
    period: fiveMinutes,
  });
}
