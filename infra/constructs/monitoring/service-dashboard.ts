import { Duration } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { metricNames } from '#lib/telemetry/metrics.ts';
import { iteratorAge, lostByRule, waitingIn } from '../metrics/delivery-metrics.ts';
import { searchMetrics } from '../metrics/service-metrics.ts';
import { fiveMinutes, sumThrottles } from '../metrics/table-metrics.ts';
import type { ListeningFunction, ReadingFunction } from '../triggers/called-functions.ts';

export interface ServiceDashboardProps {
  readonly service: string;
  readonly stage: IHttpStage;
  readonly functions: ReadonlyMap<string, IFunction>;
  readonly reading: ReadonlyMap<string, ReadingFunction>;
  readonly listening: ReadonlyMap<string, ListeningFunction>;
  readonly table: ITable;
  readonly alarms: readonly IAlarm[];
}

/** Shows, from top to bottom: alarms, requests, jobs, and the single components. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id, {
      defaultInterval: Duration.hours(12),
      widgets: [
        [
          new AlarmStatusWidget({
            title: 'Alarms',
            width: 24,
            height: 4,
            alarms: [...props.alarms],
          }),
        ],
        showRequests(props.stage),
        showJobs(props.service),
        showFunctions(props.functions),
        showTable(props.table),
        showDelivery(props),
      ],
    });
  }
}

function showRequests(stage: IHttpStage): IWidget[] {
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

function showJobs(service: string): IWidget[] {
  return [
    graph('Submissions by system', [
      searchMetrics(service, metricNames.submissions, ['hpc'], 'Sum'),
    ]),
    graph('Refusals by reason', [searchMetrics(service, metricNames.refusals, ['reason'], 'Sum')]),
    graph('Stage changes', [
      searchMetrics(service, metricNames.stageChanges, ['hpc', 'stage'], 'Sum'),
    ]),
    graph('HPC systems that answer', [
      searchMetrics(service, metricNames.systemHealth, ['hpc'], 'Average'),
    ]),
    graph('Oldest due job by system, seconds', [
      searchMetrics(service, metricNames.oldestDueSeconds, ['hpc'], 'Maximum'),
    ]),
  ];
}

function showFunctions(functions: ReadonlyMap<string, IFunction>): IWidget[] {
  const each = (measure: (lambda: IFunction, label: string) => IMetric) =>
    [...functions].map(([label, lambda]) => measure(lambda, label));
  return [
    graph(
      'Function errors',
      each((lambda, label) => lambda.metricErrors({ label, period: fiveMinutes })),
    ),
    graph(
      'Function throttles',
      each((lambda, label) => lambda.metricThrottles({ label, period: fiveMinutes })),
    ),
    graph(
      'Function duration p99, ms',
      each((lambda, label) => lambda.metricDuration({ label, statistic: 'p99' })),
    ),
  ];
}

function showTable(table: ITable): IWidget[] {
  return [
    graph('Table: consumed units', [
      table.metricConsumedReadCapacityUnits({ statistic: 'Sum', label: 'read' }),
      table.metricConsumedWriteCapacityUnits({ statistic: 'Sum', label: 'write' }),
    ]),
    graph('Table: throttled requests', [sumThrottles(table.tableName)]),
  ];
}

function showDelivery({ reading, listening }: ServiceDashboardProps): IWidget[] {
  return [
    graph(
      'Stream: age of the oldest change, ms',
      [...reading].map(([label, { target }]) => iteratorAge(target.lambda).with({ label })),
    ),
    graph(
      'Bus: events not delivered',
      [...listening].flatMap(([name, { rule }]) =>
        lostByRule(rule).map((metric) => metric.with({ label: `${name} ${metric.metricName}` })),
      ),
    ),
    graph(
      'Dead letters',
      [...reading, ...listening].map(([label, { deadLetters }]) =>
        waitingIn(deadLetters).with({ label }),
      ),
    ),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6, height: 6, period: fiveMinutes });
}
