import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { RunbookAlarm, runbookHeadings } from './runbook-alarm.ts';

export interface ScheduleAlarmProps {
  readonly name: string;
  readonly lambda: IFunction;
  readonly everyMinutes: number;
  readonly topic: ITopic;
}

/**
 * Covers several runs if they are frequent, but only one if they are rare, so that failures are
 * reported soon.
 */
function choosePeriod(everyMinutes: number): number {
  return everyMinutes < 60 ? Math.max(5, 3 * everyMinutes) : everyMinutes;
}

/**
 * Fires when runs fail or stop. A rule that was disabled, or lost the permission to call its
 * function, produces no errors. Stays silent before the first run, because a new stack may wait a
 * day for it.
 */
export class ScheduleAlarm extends RunbookAlarm {
  constructor(scope: Construct, id: string, props: ScheduleAlarmProps) {
    const { name, lambda, everyMinutes, topic } = props;
    const period = Duration.minutes(choosePeriod(everyMinutes));
    super(scope, id, {
      topic,
      heading: runbookHeadings.scheduleStopped,
      meaning: `The schedule ${name} has had no successful run for ${2 * period.toMinutes()} minutes.`,
      metric: new MathExpression({
        expression: 'runs - errors',
        label: 'good runs',
        usingMetrics: {
          runs: lambda.metricInvocations({ statistic: 'Sum', period }),
          errors: lambda.metricErrors({ statistic: 'Sum', period }),
        },
        period,
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.MISSING,
    });
    this.addInsufficientDataAction(new SnsAction(topic));
  }
}
