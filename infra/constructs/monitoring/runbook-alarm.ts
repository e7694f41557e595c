import { Alarm, type AlarmProps, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** The headings of docs/runbook.md. Every alarm names one, and a test keeps both lists in sync. */
export const runbookHeadings = {
  serverErrors: 'Server errors',
  releaseSentBack: 'Release sent back',
  slowAnswers: 'Slow answers',
  functionErrors: 'Function errors',
  functionThrottles: 'Function throttles',
  tableThrottles: 'Table throttles',
  tableErrors: 'Table errors',
  partitionFills: 'Partition fills up',
  jobsWaiting: 'Jobs wait too long',
  scheduleStopped: 'Schedule does not run',
  streamBehind: 'Stream falls behind',
  damagedRecords: 'Damaged records',
  deadLetters: 'Dead letters',
  busFailed: 'Bus cannot deliver',
  accountDrift: 'Accounts do not add up',
} as const;

type RunbookHeading = (typeof runbookHeadings)[keyof typeof runbookHeadings];

export interface RunbookAlarmProps extends Omit<AlarmProps, 'alarmDescription'> {
  /** The heading in the runbook. */
  readonly heading: RunbookHeading;
  /** What was measured, for the reader of the email. */
  readonly meaning: string;
  readonly topic: ITopic;
}

/** An alarm that names its section of the runbook. AllClear reports its end. */
export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: RunbookAlarmProps) {
    const { heading, meaning, topic, ...alarm } = props;
    super(scope, id, {
      // No requests means no errors.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...alarm,
      alarmDescription: `${meaning} See docs/runbook.md, "${heading}".`,
    });
    this.addAlarmAction(new SnsAction(topic));
  }
}
