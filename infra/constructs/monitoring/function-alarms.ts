import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { fiveMinutes } from '../metrics/table-metrics.ts';
import { RunbookAlarm, runbookHeadings } from './runbook-alarm.ts';

export interface FunctionAlarmsProps {
  readonly lambda: IFunction;
  readonly topic: ITopic;
}

/** Two alarms per function instead of one sum, so that the email names the function. */
export class FunctionAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { lambda, topic }: FunctionAlarmsProps) {
    super(scope, id);
    const shared = {
      topic,
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    };
    const errors = new RunbookAlarm(this, 'Errors', {
      ...shared,
      heading: runbookHeadings.functionErrors,
      meaning: `The function ${id} crashed, or ran out of memory or time, in two of three periods of five minutes.`,
      metric: lambda.metricErrors({ statistic: 'Sum', period: fiveMinutes }),
    });
    const throttles = new RunbookAlarm(this, 'Throttles', {
      ...shared,
      heading: runbookHeadings.functionThrottles,
      meaning: `Lambda refused to run the function ${id}, in two of three periods of five minutes.`,
      metric: lambda.metricThrottles({ statistic: 'Sum', period: fiveMinutes }),
    });
    this.all = [errors, throttles];
  }
}
