import { NestedStack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../constructs/functions/service-function.ts';
import { FailedRuns } from '../constructs/metrics/failed-runs.ts';
import { AlarmTopic, type Urgency } from '../constructs/monitoring/alarm-topics.ts';
import { makeAlarms, type Watched } from '../constructs/monitoring/service-alarms.ts';
import { ServiceDashboard } from '../constructs/monitoring/service-dashboard.ts';
import type { Budget, DeployConfig } from '../settings/config.ts';

export interface MonitoringStackProps {
  readonly config: DeployConfig;
  readonly accessLog: ILogGroup;
  readonly watched: Watched;
  /** Functions of the service stack. The others have their failed runs counted in their own stacks. */
  readonly functions: ReadonlyMap<string, ServiceFunction>;
}

/**
 * Alarms with their topics, the saved queries, and a dashboard if somebody wants one. Nested, because
 * the service stack would exceed 500 resources. Unlike a separate stack, it releases a removed
 * function in the same deployment.
 */
export class MonitoringStack extends NestedStack {
  /** Absent if the deployment has no alarms. */
  readonly topics: Readonly<Record<Urgency, ITopic>> | undefined;
  readonly dashboardName: string | undefined;

  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    const { config, accessLog, watched, functions } = props;
    super(scope, id, { description: `Slipway ${config.stage}: what watches the service` });
    const { alarms, alarmEmail, ticketEmail, dashboard, budget, service } = config;
    this.topics = alarms ? makeTopics(this, { page: alarmEmail, ticket: ticketEmail }) : undefined;
    const made = this.topics
      ? makeAlarms(
          this,
          watched,
          new FailedRuns(this, 'FailedRuns', { service, functions }),
          this.topics,
        )
      : [];
    this.dashboardName = dashboard
      ? new ServiceDashboard(this, 'Dashboard', watched, made).dashboardName
      : undefined;
    if (budget) new MonthlyBudget(this, 'Costs', { service, budget });
    saveQueries(this, service, accessLog);
  }
}

function makeTopics(scope: Construct, emails: Readonly<Record<Urgency, string | undefined>>) {
  const make = (id: string, urgency: Urgency) =>
    new AlarmTopic(scope, id, { urgency, email: emails[urgency] }).topic;
  return { page: make('Pages', 'page'), ticket: make('Tickets', 'ticket') };
}

/**
 * Saves the queries of docs/runbook.md in CloudWatch Logs Insights. Queries about all functions
 * have no log groups, because a query allows only 50. Users select the groups by prefix.
 */
function saveQueries(stack: Construct, service: string, accessLog: ILogGroup): void {
  const scope = new Construct(stack, 'Queries');
  new QueryDefinition(scope, 'OneRequest', {
    queryDefinitionName: `${service}/one request`,
    queryString: new QueryString({
      fields: ['@timestamp', '@log', '@message'],
      filterStatements: ['requestId = "PASTE THE INSTANCE OF THE PROBLEM"'],
      sort: '@timestamp asc',
      limit: 100,
    }),
  });
  new QueryDefinition(scope, 'Failures', {
    queryDefinitionName: `${service}/failures`,
    queryString: new QueryString({
      fields: ['@timestamp', 'requestId', 'error.name', 'error.message', 'message'],
      filterStatements: ['level = "ERROR"'],
      sort: '@timestamp desc',
      limit: 100,
    }),
  });
  new QueryDefinition(scope, 'Slowest', {
    queryDefinitionName: `${service}/slowest requests`,
    logGroups: [accessLog],
    queryString: new QueryString({
      fields: ['@timestamp', 'requestId', 'routeKey', 'path', 'status', 'latencyMs'],
      sort: 'latencyMs desc',
      limit: 50,
    }),
  });
}

interface MonthlyBudgetProps {
  readonly service: string;
  readonly budget: Budget;
}

/**
 * Warns by email about the monthly costs of the whole account. Costs of one stage could be told
 * apart only by a tag that the operator activates in the billing settings first. Until then, such a
 * budget would stay at zero without a word.
 */
class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { service, budget }: MonthlyBudgetProps) {
    super(scope, id);
    const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'EMAIL', address: budget.email }],
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: `${service}-monthly`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: budget.dollars, unit: 'USD' },
      },
      notificationsWithSubscribers: [
        notify('ACTUAL', 80),
        notify('ACTUAL', 100),
        notify('FORECASTED', 100),
      ],
    });
  }
}
