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

/** Several runs where they come often; one where days would pass before anybody is told. */
function choosePeriod(everyMinutes: number): number {
  return everyMinutes < 60 ? Math.max(5, 3 * everyMinutes) : everyMinutes;
}

/**
 * Rings when runs fail and also when they cease: a rule that was switched off, or that may no longer
 * call its function, counts no failure anywhere. Before its first run there is nothing that could
 * cease, and nobody is told: a new stack waits a day for its first daily run.
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
