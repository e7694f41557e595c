import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Urgency } from './alarm-topics.ts';

/**
 * The headings of docs/runbook.md, in its order. Every alarm names one, and a test keeps both lists
 * in sync. A release that is sent back rings nobody, because its deployment fails.
 */
export const runbookHeadings = {
  'Server errors': 'page',
  'Jobs wait too long': 'page',
  'Schedule does not run': 'page',
  'Background errors': 'page',
  'Stream falls behind': 'page',
  'Dead letters': 'page',
  'Bus cannot deliver': 'page',
  'Damaged records': 'page',
  'Slow answers': 'ticket',
  'Function errors': 'ticket',
  'Function throttles': 'ticket',
  'Table throttles': 'ticket',
  'Table errors': 'ticket',
  'Partition fills up': 'ticket',
  'Accounts do not add up': 'ticket',
  'Release sent back': undefined,
} as const satisfies Readonly<Record<string, Urgency | undefined>>;

/** An alarm about one metric. By default it fires at the first value above 0. */
export interface Watch extends Partial<Omit<AlarmProps, 'alarmDescription'>> {
  readonly heading: keyof typeof runbookHeadings;
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
