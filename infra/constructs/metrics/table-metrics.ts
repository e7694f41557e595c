import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { tableDefinition } from '#lib/table/definition.ts';

/** Operations that functions use. */
const operations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

/** Sums throttles of the table and its global indexes, because a hot index throttles writes. */
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

export function sumSystemErrors(tableName: string): MathExpression {
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

/**
 * Sums metrics that may be missing. DynamoDB and EventBridge report only non-zero values, and `a +
 * b` has no value if one is missing, so such an alarm would hardly ever fire.
 */
export function sumOf(label: string, metrics: readonly Metric[]): MathExpression {
  const named = metrics.map((metric, index): [string, Metric] => [`m${index}`, metric]);
  return new MathExpression({
    expression: `SUM([${named.map(([name]) => `FILL(${name}, 0)`).join(', ')}])`,
    label,
    usingMetrics: Object.fromEntries(named),
    period: fiveMinutes,
  });
}

/** Shared by alarms and dashboard, so that both show the same numbers. */
export const fiveMinutes = Duration.minutes(5);
