import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { accountDrift } from '../metrics/service-metrics.ts';
import { RunbookAlarm } from './runbook-alarm.ts';
import { runbookHeadings } from './runbook-headings.ts';

export interface AccountAlarmsProps {
  readonly service: string;
  readonly topic: ITopic;
}

/** Accounts that do not add up. One is enough: it does not mend by itself. */
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
