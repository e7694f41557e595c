import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { BusRule } from '../triggers/bus-subscription.ts';
import { fiveMinutes } from './table-metrics.ts';

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
