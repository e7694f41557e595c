import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { ComparisonOperator, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { fiveMinutes } from '../metrics/five-minutes.ts';
import { RunbookAlarm } from './runbook-alarm.ts';
import { runbookHeadings } from './runbook-headings.ts';

export interface ApiAlarmsProps {
  readonly stage: IHttpStage;
  readonly topic: ITopic;
}

/** What callers notice. */
export class ApiAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { stage, topic }: ApiAlarmsProps) {
    super(scope, id);
    const serverErrors = new RunbookAlarm(this, 'ServerErrors', {
      topic,
      heading: runbookHeadings.serverErrors,
      meaning: 'More than 1 % of requests were answered with 5xx, for ten minutes.',
      // Fewer than three are no rate: one failed request at night is not 100 %.
      metric: new MathExpression({
        expression: 'IF(errors >= 3, 100 * errors / requests, 0)',
        label: '5xx, per cent',
        usingMetrics: {
          errors: stage.metricServerError({ statistic: 'Sum', period: fiveMinutes }),
          requests: stage.metricCount({ statistic: 'SampleCount', period: fiveMinutes }),
        },
        period: fiveMinutes,
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 2,
    });
    const slowAnswers = new RunbookAlarm(this, 'SlowAnswers', {
      topic,
      heading: runbookHeadings.slowAnswers,
      meaning: 'One request in a hundred took longer than 3 seconds, for 15 minutes.',
      metric: stage.metricLatency({ statistic: 'p99', period: fiveMinutes }),
      threshold: 3_000,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 3,
    });
    this.all = [serverErrors, slowAnswers];
  }
}
