import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Schedule } from '../../functions/schedules.ts';
import type { DeployConfig } from '../config.ts';
import { AccountAlarms } from './account-alarms.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { ApiAlarms } from './api-alarms.ts';
import type { BusRule } from './bus-subscription.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import { DeliveryAlarms } from './delivery-alarms.ts';
import { FunctionAlarms } from './function-alarms.ts';
import type { HttpGateway } from './http-gateway.ts';
import { QueueAlarms } from './queue-alarms.ts';
import type { RunbookAlarm } from './runbook-alarm.ts';
import { SavedQueries } from './saved-queries.ts';
import { ScheduleAlarm } from './schedule-alarm.ts';
import { ServiceDashboard } from './service-dashboard.ts';
import type { ServiceFunction } from './service-function.ts';
import { TableAlarms } from './table-alarms.ts';

export interface ScheduledFunction {
  readonly schedule: Schedule;
  readonly target: ServiceFunction;
}

/** A function that the stream calls. */
export interface ReadingFunction {
  readonly target: ServiceFunction;
  readonly deadLetters: DeadLetterQueue;
}

/** A function that the bus calls. */
export interface ListeningFunction extends ReadingFunction {
  readonly rule: BusRule;
}

export interface MonitoringProps {
  readonly config: DeployConfig;
  readonly gateway: HttpGateway;
  /** All functions by name, those of the clock, the stream and the bus included. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  readonly scheduled: ReadonlyMap<string, ScheduledFunction>;
  readonly reading: ReadonlyMap<string, ReadingFunction>;
  readonly listening: ReadonlyMap<string, ListeningFunction>;
  readonly table: Table;
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
      ...new DeliveryAlarms(this, 'Delivery', { reading, listening, topic }).all,
      ...new TableAlarms(this, 'Table', { table, topic }).all,
      ...[...functions].flatMap(
        ([name, { lambda }]) => new FunctionAlarms(this, name, { lambda, topic }).all,
      ),
    ];
  }
}
