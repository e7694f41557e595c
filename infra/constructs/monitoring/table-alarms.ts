import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { fillingGigabytes } from '#lib/telemetry/sample-sizes.ts';
import { partitionSize } from '../metrics/service-metrics.ts';
import { sumSystemErrors, sumThrottles } from '../metrics/table-metrics.ts';
import { RunbookAlarm, runbookHeadings } from './runbook-alarm.ts';

export interface TableAlarmsProps {
  readonly service: string;
  readonly table: ITable;
  readonly topic: ITopic;
}

export class TableAlarms extends Construct {
  readonly all: readonly RunbookAlarm[];

  constructor(scope: Construct, id: string, { service, table, topic }: TableAlarmsProps) {
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
    const size = new RunbookAlarm(this, 'Size', {
      topic,
      heading: runbookHeadings.partitionFills,
      meaning: `A partition of the table has ${fillingGigabytes} GB or more, of the 10 GB that it can hold.`,
      metric: partitionSize(service),
      threshold: fillingGigabytes,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
    });
    this.all = [throttles, errors, size];
  }
}
