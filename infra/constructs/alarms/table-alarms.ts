import { ComparisonOperator, type MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { runbookHeadings } from '#infra/settings/runbook.ts';
import { tableDefinition } from '#lib/table/definition.ts';
import { fiveMinutes, sumOf } from './metrics.ts';
import { RunbookAlarm } from './runbook-alarm.ts';

export interface TableAlarmsProps {
  readonly table: Table;
  readonly topic: ITopic;
}

/** What the functions ask of the table. */
const operations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

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
      meaning: 'DynamoDB refused reads or writes for their rate, in two of three periods.',
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

/** Of the table and of each global index: a hot index throttles the writes of the table. */
export function sumThrottles(tableName: string): MathExpression {
  const places = [
    {},
    ...tableDefinition.globalIndexes.map(({ name }) => ({ GlobalSecondaryIndexName: name })),
  ];
  const metrics = places.flatMap((place) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
      tableMetric(name, { TableName: tableName, ...place }),
    ),
  );
  return sumOf('throttled requests', metrics);
}

function sumSystemErrors(tableName: string): MathExpression {
  const metrics = operations.map((operation) =>
    tableMetric('SystemErrors', { TableName: tableName, Operation: operation }),
  );
  return sumOf('failed requests', metrics);
}

function tableMetric(metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap,
    statistic: 'Sum',
    period: fiveMinutes,
  });
}
