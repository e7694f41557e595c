import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { runbookHeadings } from '../alarms/runbook-headings.ts';

const period = Duration.minutes(1);

/**
 * What sends a release back. A function that crashes, runs out of time or answers 500 is a 5xx of the
 * gateway, so one alarm is enough for all. It rings within minutes, as those that write mails do not,
 * and writes none: the deployment that fails tells its operator.
 */
export class ReleaseAlarm extends Alarm {
  constructor(scope: Construct, id: string, { api }: { api: HttpApi }) {
    super(scope, id, {
      alarmDescription: `Two or more requests in a minute, and more than 1 %, were answered with 5xx. See docs/runbook.md, "${runbookHeadings.releaseSentBack}".`,
      metric: new MathExpression({
        expression: 'IF(errors >= 2, 100 * errors / requests, 0)',
        label: '5xx, per cent',
        usingMetrics: {
          errors: api.metricServerError({ statistic: 'Sum', period }),
          requests: api.metricCount({ statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
