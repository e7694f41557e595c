import { Alarm, type AlarmProps, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** The headings of docs/runbook.md. Every alarm names one, and a test holds both lists together. */
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
  /** Where the runbook says what to do. */
  readonly heading: RunbookHeading;
  /** What has been measured, for whoever reads the mail. */
  readonly meaning: string;
  readonly topic: ITopic;
}

/** An alarm that says where to read on. That it is over is told by AllClear. */
export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: RunbookAlarmProps) {
    const { heading, meaning, topic, ...alarm } = props;
    super(scope, id, {
      // No requests are no errors.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...alarm,
      alarmDescription: `${meaning} See docs/runbook.md, "${heading}".`,
    });
    this.addAlarmAction(new SnsAction(topic));
  }
}
