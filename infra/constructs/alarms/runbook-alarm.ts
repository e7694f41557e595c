import { Alarm, type AlarmProps, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { RunbookHeading } from './runbook-headings.ts';

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
