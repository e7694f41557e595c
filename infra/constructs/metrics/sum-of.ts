import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { fiveMinutes } from './five-minutes.ts';

/**
 * DynamoDB and EventBridge write a metric only when they have something to count, and `a + b` has
 * no value where one of the two has none: such a sum would hardly ever ring. `SUM` of a list leaves
 * out what is missing.
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
