import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { sumSystemErrors, sumThrottles } from '../metrics/table-metrics.ts';
import { RunbookAlarm } from './runbook-alarm.ts';
import { runbookHeadings } from './runbook-headings.ts';

export interface TableAlarmsProps {
  readonly table: Table;
  readonly topic: ITopic;
}

export class TableAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { table, topic }: TableAlarmsProps) {
    super(scope, id);
    const shared = {
      topic,
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    };
    const throttles = new RunbookAlarm(this, 'Throttles', {
      ...shared,
      heading: runbookHeadings.tableThrottles,
      meaning:
        'DynamoDB refused reads or writes because there were too many, in two of three periods of five minutes.',
      metric: sumThrottles(table.tableName),
    });
    const errors = new RunbookAlarm(this, 'Errors', {
      ...shared,
      heading: runbookHeadings.tableErrors,
      meaning: 'DynamoDB itself failed, in two of three periods of five minutes.',
      metric: sumSystemErrors(table.tableName),
    });
    this.all = [throttles, errors];
  }
}
