import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { oldestDue } from '../metrics/service-metrics.ts';
import { RunbookAlarm } from './runbook-alarm.ts';
import { runbookHeadings } from './runbook-headings.ts';

export interface QueueAlarmsProps {
  readonly service: string;
  /** The names of the HPC systems in the catalog. */
  readonly systems: readonly string[];
  readonly topic: ITopic;
}

const patienceSeconds = 15 * 60;

/** Jobs that were accepted and that nobody has looked after since: one alarm per HPC system. */
export class QueueAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { service, systems, topic }: QueueAlarmsProps) {
    super(scope, id);
    this.all = systems.map(
      (system) =>
        new RunbookAlarm(this, system, {
          topic,
          heading: runbookHeadings.jobsWaiting,
          meaning: `A job on ${system} has been due for more than 15 minutes.`,
          metric: oldestDue(service, system),
          threshold: patienceSeconds,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          evaluationPeriods: 2,
        }),
    );
  }
}
