import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { DeployConfig } from '#infra/settings/config.ts';
import { AccountAlarms } from '../alarms/account-alarms.ts';
import { AlarmTopic } from '../alarms/alarm-topic.ts';
import { ApiAlarms } from '../alarms/api-alarms.ts';
import { DeliveryAlarms } from '../alarms/delivery-alarms.ts';
import { FunctionAlarms } from '../alarms/function-alarms.ts';
import { QueueAlarms } from '../alarms/queue-alarms.ts';
import type { RunbookAlarm } from '../alarms/runbook-alarm.ts';
import { ScheduleAlarm } from '../alarms/schedule-alarm.ts';
import { TableAlarms } from '../alarms/table-alarms.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { HttpGateway } from '../gateway/http-gateway.ts';
import type {
  ListeningFunction,
  ReadingFunction,
  ScheduledFunction,
} from '../triggers/called-functions.ts';
import { SavedQueries } from './saved-queries.ts';
import { ServiceDashboard } from './service-dashboard.ts';

export interface MonitoringProps {
  readonly config: DeployConfig;
  readonly gateway: HttpGateway;
  /** All functions by name, those of the clock, the stream and the bus included. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  readonly scheduled: ReadonlyMap<string, ScheduledFunction>;
  readonly reading: ReadonlyMap<string, ReadingFunction>;
  readonly listening: ReadonlyMap<string, ListeningFunction>;
  readonly table: ITable;
  readonly systems: readonly string[];
}

/** Everything that watches the service: alarms, the topic they go to, the dashboard, the queries. */
export class Monitoring extends Construct {
  readonly topic: ITopic;
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
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
      functionLogs: [...functions.values()].map(({ logGroup }) => logGroup),
    });
  }

  #makeAlarms(props: MonitoringProps, topic: ITopic): RunbookAlarm[] {
    const { config, gateway, functions, scheduled, reading, listening, table, systems } = props;
    const { service } = config;
    return [
      ...new ApiAlarms(this, 'Api', { stage: gateway.stage, topic }).all,
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
