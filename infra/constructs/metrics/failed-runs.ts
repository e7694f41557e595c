import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnMetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type RouteName, routeNames } from '#functions/routes.ts';
import { metricNamespace } from '#lib/telemetry/measurements.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { fiveMinutes } from './service-metrics.ts';

export interface FailedRunsProps {
  readonly service: string;
  readonly functions: ReadonlyMap<string, ServiceFunction>;
}

/**
 * Counts the runs that crashed, timed out or could not begin, from the line that Lambda logs at the
 * end of each. The metrics are written only when there is something to count, so they cost nothing
 * in a healthy month; a metric of Lambda for each function would.
 */
export class FailedRuns extends Construct {
  /** Of functions that callers wait for. */
  readonly answering: Metric;
  /** Of functions that the clock, the stream or the bus calls. */
  readonly inBackground: Metric;

  constructor(scope: Construct, id: string, { service, functions }: FailedRunsProps) {
    super(scope, id);
    const metricOf = (metricName: string) =>
      new Metric({
        // A filter can give its metric no fixed dimension.
        namespace: `${metricNamespace}/${service}`,
        metricName,
        statistic: 'Sum',
        period: fiveMinutes,
      });
    this.answering = metricOf('FailedAnswers');
    this.inBackground = metricOf('FailedBackgroundRuns');
    for (const [name, { logGroup }] of functions) {
      const { namespace, metricName } = answers(name) ? this.answering : this.inBackground;
      new CfnMetricFilter(this, name, {
        logGroupName: logGroup.logGroupName,
        filterPattern: '{ $.type = "platform.report" && $.record.status != "success" }',
        metricTransformations: [
          { metricNamespace: namespace, metricName, metricValue: '1', unit: 'Count' },
        ],
      });
    }
  }
}

function answers(name: string): boolean {
  const answering: ReadonlySet<string> = new Set<RouteName | 'fallback'>([
    ...routeNames,
    'fallback',
  ]);
  return answering.has(name);
}
