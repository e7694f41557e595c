import { NestedStack } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { AlarmTopic } from '../constructs/monitoring/alarm-topic.ts';
import { MonthlyBudget } from '../constructs/monitoring/monthly-budget.ts';
import { saveQueries } from '../constructs/monitoring/saved-queries.ts';
import { makeAlarms, type Watched } from '../constructs/monitoring/service-alarms.ts';
import { ServiceDashboard } from '../constructs/monitoring/service-dashboard.ts';
import type { DeployConfig } from '../settings/config.ts';

export interface MonitoringStackProps {
  readonly config: DeployConfig;
  readonly accessLog: ILogGroup;
  readonly watched: Watched;
}

/**
 * Alarms with their topic, the dashboard and the saved queries. Nested, because the service stack
 * would exceed 500 resources. Unlike a separate stack, it releases a removed function in the same
 * deployment.
 */
export class MonitoringStack extends NestedStack {
  readonly topic: ITopic;
  readonly dashboardName: string;

  constructor(scope: Construct, id: string, { config, accessLog, watched }: MonitoringStackProps) {
    super(scope, id, { description: `Slipway ${config.stage}: what watches the service` });
    this.topic = new AlarmTopic(this, 'Alarms', { email: config.alarmEmail }).topic;
    const alarms = makeAlarms(this, watched, this.topic);
    const dashboard = new ServiceDashboard(this, 'Dashboard', watched, alarms);
    this.dashboardName = dashboard.dashboardName;
    const { budget, service } = config;
    if (budget) new MonthlyBudget(this, 'Costs', { service, budget });
    saveQueries(this, config.service, accessLog);
  }
}
