import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { ComparisonOperator, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { percentOfSlow } from '../metrics/percent-of-slow.ts';
import { fiveMinutes } from '../metrics/table-metrics.ts';
import { RunbookAlarm, runbookHeadings } from './runbook-alarm.ts';

export interface ApiAlarmsProps {
  readonly stage: IHttpStage;
  /** Functions that wait for HPC systems and may take long. */
  readonly patient: readonly IFunction[];
  readonly topic: ITopic;
}

/** Alarms about errors and latency that callers notice. */
export class ApiAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { stage, patient, topic }: ApiAlarmsProps) {
    super(scope, id);
    const serverErrors = new RunbookAlarm(this, 'ServerErrors', {
      topic,
      heading: runbookHeadings.serverErrors,
      meaning: 'More than 1 % of requests were answered with 5xx, for ten minutes.',
      // Ignore fewer than three errors, so that one failed request at night is not 100 %.
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
      meaning:
        'More than 1 % of requests took longer than 3 seconds, for 15 minutes, not counting those that wait for an HPC system.',
      metric: percentOfSlow({ stage, patient, slowMs: 3_000, atLeast: 5 }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 3,
    });
    this.all = [serverErrors, slowAnswers];
  }
}
