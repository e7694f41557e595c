import { NestedStack } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { routes } from '#functions/routes.ts';
import type { Route } from '#lib/http/routes/route.ts';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import type { HttpGateway } from '../constructs/gateway/http-gateway.ts';
import { AlarmTopic } from '../constructs/monitoring/alarm-topic.ts';
import { ApiAlarms } from '../constructs/monitoring/api-alarms.ts';
import { DeliveryAlarms } from '../constructs/monitoring/delivery-alarms.ts';
import { FunctionAlarms } from '../constructs/monitoring/function-alarms.ts';
import type { RunbookAlarm } from '../constructs/monitoring/runbook-alarm.ts';
import { SavedQueries } from '../constructs/monitoring/saved-queries.ts';
import { ScheduleAlarm } from '../constructs/monitoring/schedule-alarm.ts';
import { AccountAlarms, QueueAlarms } from '../constructs/monitoring/service-alarms.ts';
import { ServiceDashboard } from '../constructs/monitoring/service-dashboard.ts';
import { TableAlarms } from '../constructs/monitoring/table-alarms.ts';
import type {
  ListeningFunction,
  ReadingFunction,
  ScheduledFunction,
} from '../constructs/triggers/called-functions.ts';
import type { DeployConfig } from '../settings/config.ts';

export interface MonitoringStackProps {
  readonly config: DeployConfig;
  readonly gateway: HttpGateway;
  /** All functions by name, including those that schedules, the stream and the bus call. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  readonly scheduled: ReadonlyMap<string, ScheduledFunction>;
  readonly reading: ReadonlyMap<string, ReadingFunction>;
  readonly listening: ReadonlyMap<string, ListeningFunction>;
  readonly table: ITable;
  readonly systems: readonly string[];
}

/**
 * Alarms with their topic, the dashboard and the saved queries. Nested, because the service stack
 * would exceed 500 resources. Unlike a separate stack, it releases a removed function in the same
 * deployment.
 */
export class MonitoringStack extends NestedStack {
  readonly topic: ITopic;
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, { description: `Slipway ${props.config.stage}: what watches the service` });
    const { config, gateway, functions, table } = props;
    const { service } = config;
    const { topic } = new AlarmTopic(this, 'Alarms', { email: config.alarmEmail });
    this.topic = topic;
    const dashboard = new ServiceDashboard(this, 'Dashboard', {
      service,
      table,
      stage: gateway.stage,
      functions: new Map([...functions].map(([name, { lambda }]) => [name, lambda])),
      reading: props.reading,
      listening: props.listening,
      alarms: this.#makeAlarms(props, topic),
    });
    this.dashboardName = dashboard.dashboardName;
    new SavedQueries(this, 'Queries', {
      service,
      accessLog: gateway.accessLog.logGroup,
    });
  }

  #makeAlarms(props: MonitoringStackProps, topic: ITopic): RunbookAlarm[] {
    const { config, gateway, functions, scheduled, reading, listening, table, systems } = props;
    const { service } = config;
    const patient = [...functions].flatMap(([name, { lambda }]) =>
      waitsForSystem(name) ? [lambda] : [],
    );
    return [
      ...new ApiAlarms(this, 'Api', { stage: gateway.stage, patient, topic }).all,
      ...new QueueAlarms(this, 'Queue', { service, systems, topic }).all,
      ...new AccountAlarms(this, 'Accounts', { service, topic }).all,
      ...[...scheduled].map(
        ([name, { schedule, target }]) =>
          new ScheduleAlarm(this, `${name}-runs`, {
            name,
            topic,
            lambda: target.lambda,
            everyMinutes: schedule.everyMinutes,
          }),
      ),
      ...new DeliveryAlarms(this, 'Delivery', { service, reading, listening, topic }).all,
      ...new TableAlarms(this, 'Table', { service, table, topic }).all,
      ...[...functions].flatMap(
        ([name, { lambda }]) => new FunctionAlarms(this, name, { lambda, topic }).all,
      ),
    ];
  }
}

function waitsForSystem(name: string): boolean {
  const route: Route | undefined = Object.entries<Route>(routes).find(([key]) => key === name)?.[1];
  return route?.secrets === true;
}
