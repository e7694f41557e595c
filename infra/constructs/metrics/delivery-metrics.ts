import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { BusRule } from '../triggers/bus-subscription.ts';
import { fiveMinutes } from './service-metrics.ts';

/** Age in milliseconds of the oldest change that a function received. */
export function iteratorAge(lambda: IFunction): Metric {
  return lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: fiveMinutes });
}

export function waitingIn(queue: IQueue): Metric {
  const options = { statistic: Stats.MAXIMUM, period: fiveMinutes };
  return queue.metricApproximateNumberOfMessagesVisible(options);
}

/** Events of a rule that reached neither the function nor its dead-letter queue. */
export function lostOnTheWay({ busName, ruleName }: BusRule): Metric {
  return new Metric({
    namespace: 'AWS/Events',
    metricName: 'InvocationsFailedToBeSentToDlq',
    // Rules of a custom bus have both dimensions. Those of the default bus have only the name.
    dimensionsMap: { EventBusName: busName, RuleName: ruleName },
    statistic: Stats.SUM,
    period: fiveMinutes,
  });
}
