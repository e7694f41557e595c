import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** The headings of docs/runbook.md. Every alarm names one, and a test keeps both lists in sync. */
export const runbookHeadings = [
  'Server errors',
  'Release sent back',
  'Slow answers',
  'Function errors',
  'Function throttles',
  'Table throttles',
  'Table errors',
  'Partition fills up',
  'Jobs wait too long',
  'Schedule does not run',
  'Stream falls behind',
  'Damaged records',
  'Dead letters',
  'Bus cannot deliver',
  'Accounts do not add up',
] as const;

/** An alarm about one metric. By default it fires at the first value above 0. */
export interface Watch extends Partial<Omit<AlarmProps, 'alarmDescription'>> {
  readonly heading: (typeof runbookHeadings)[number];
  /** What was measured, for the reader of the email. */
  readonly meaning: string;
  readonly metric: AlarmProps['metric'];
}

/** An alarm that names its section of the runbook. */
export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, id: string, { heading, meaning, ...alarm }: Watch) {
    super(scope, id, {
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // No requests means no errors.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...alarm,
      alarmDescription: `${meaning} See docs/runbook.md, "${heading}".`,
    });
  }

  /** Sends an email when the alarm fires. AllClear reports its end. */
  notify(topic: ITopic): this {
    this.addAlarmAction(new SnsAction(topic));
    return this;
  }
}
