import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { accountDrift, oldestDue } from '../metrics/service-metrics.ts';
import { RunbookAlarm, runbookHeadings } from './runbook-alarm.ts';

export interface QueueAlarmsProps {
  readonly service: string;
  /** The names of the HPC systems in the catalog. */
  readonly systems: readonly string[];
  readonly topic: ITopic;
}

const patienceSeconds = 15 * 60;

/** Alarms about due jobs that are not processed, one per HPC system. */
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

interface AccountAlarmsProps {
  readonly service: string;
  readonly topic: ITopic;
}

/**
 * Alarms about wrong balances. Fires at the first one, because balances do not repair themselves.
 */
export class AccountAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { service, topic }: AccountAlarmsProps) {
    super(scope, id);
    const drift = new RunbookAlarm(this, 'Drift', {
      topic,
      heading: runbookHeadings.accountDrift,
      meaning: 'An account does not agree with its jobs or its ledger.',
      metric: accountDrift(service),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
    });
    this.all = [drift];
  }
}
