import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNames } from '#lib/telemetry/measurements.ts';
import { iteratorAge, lostOnTheWay, waitingIn } from '../metrics/delivery-metrics.ts';
import {
  fiveMinutes,
  type MetricName,
  ownMetric,
  searchMetrics,
} from '../metrics/service-metrics.ts';
import type { Watched } from './service-alarms.ts';

/** Shows, from top to bottom: alarms, requests, jobs, and the single components. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, watched: Watched, alarms: IAlarm[]) {
    super(scope, id, {
      defaultInterval: Duration.hours(12),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', width: 24, height: 4, alarms })],
        showRequests(watched),
        showJobs(watched),
        showFunctions(watched),
        showTable(watched),
        showDelivery(watched),
      ],
    });
  }
}

function showRequests({ stage }: Watched): IWidget[] {
  return [
    graph('Requests', [stage.metricCount({ statistic: 'SampleCount', label: 'requests' })]),
    graph('Latency, ms', [
      stage.metricLatency({ statistic: 'p50', label: 'p50' }),
      stage.metricLatency({ statistic: 'p99', label: 'p99' }),
    ]),
    graph('Errors answered', [
      stage.metricClientError({ statistic: 'Sum', label: '4xx' }),
      stage.metricServerError({ statistic: 'Sum', label: '5xx' }),
    ]),
  ];
}

function showJobs({ service }: Watched): IWidget[] {
  const search = (title: string, name: MetricName, dimensions: string[], statistic: string) =>
    graph(title, [searchMetrics(service, name, dimensions, statistic)]);
  return [
    search('Submissions by system', metricNames.submissions, ['hpc'], 'Sum'),
    search('Refusals by reason', metricNames.refusals, ['reason'], 'Sum'),
    search('Stage changes', metricNames.stageChanges, ['hpc', 'stage'], 'Sum'),
    search('Checks without an answer by system', metricNames.systemSilence, ['hpc'], 'Sum'),
    search('Oldest due job by system, seconds', metricNames.oldestDueSeconds, ['hpc'], 'Maximum'),
  ];
}

function showFunctions({ functions }: Watched): IWidget[] {
  const period = fiveMinutes;
  const each = (title: string, measure: (lambda: IFunction, label: string) => IMetric) =>
    graph(
      title,
      [...functions].map(([label, { lambda }]) => measure(lambda, label)),
    );
  return [
    each('Function errors', (lambda, label) => lambda.metricErrors({ label, period })),
    each('Function throttles', (lambda, label) => lambda.metricThrottles({ label, period })),
    each('Function duration p99, ms', (lambda, label) =>
      lambda.metricDuration({ label, statistic: 'p99' }),
    ),
  ];
}

function showTable({ service, table }: Watched): IWidget[] {
  return [
    graph('Table: consumed units', [
      table.metricConsumedReadCapacityUnits({ statistic: 'Sum', label: 'read' }),
      table.metricConsumedWriteCapacityUnits({ statistic: 'Sum', label: 'write' }),
    ]),
    graph('Table: requests it refused or failed', [
      ownMetric(metricNames.tableThrottles, 'Sum', { service }),
      ownMetric(metricNames.tableErrors, 'Sum', { service }),
    ]),
  ];
}

function showDelivery({ reading, listening }: Watched): IWidget[] {
  return [
    graph(
      'Stream: age of the oldest change, ms',
      [...reading].map(([label, { target }]) => iteratorAge(target.lambda).with({ label })),
    ),
    graph(
      'Bus: events not delivered',
      [...listening].flatMap(([label, { rule, deadLetters }]) =>
        deadLetters ? [lostOnTheWay(rule).with({ label })] : [],
      ),
    ),
    graph(
      'Dead letters',
      [...reading, ...listening].flatMap(([label, { deadLetters }]) =>
        deadLetters ? [waitingIn(deadLetters).with({ label })] : [],
      ),
    ),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6, height: 6, period: fiveMinutes });
}
