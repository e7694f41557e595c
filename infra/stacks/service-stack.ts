import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type RouteName, routeNames, routes } from '../../functions/routes.ts';
import { type Schedule, schedules } from '../../functions/schedules.ts';
import { catalog } from '../../lib/catalog/catalog.ts';
import { gatewayKeys } from '../../lib/http/route.ts';
import type { DeployConfig } from '../config.ts';
import { composeEnvironment, type Settings } from '../constructs/function-environment.ts';
import { type Endpoint, HttpGateway } from '../constructs/http-gateway.ts';
import { Monitoring, type ScheduledFunction } from '../constructs/monitoring.ts';
import { ScheduledRun } from '../constructs/scheduled-run.ts';
import { secretStatements } from '../constructs/secret-statements.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { tableStatements } from '../constructs/table-statements.ts';
import {
  type Declaration,
  declareFallback,
  declareRoute,
  declareSchedule,
} from '../declarations.ts';
import { reservedConcurrency, routeThrottles } from '../limits.ts';
import type { DataStack } from './data-stack.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: DeployConfig;
  readonly data: DataStack;
}

/** What every deployment may replace: the gateway, the functions behind it, and what watches them. */
export class ServiceStack extends Stack {
  readonly #config: DeployConfig;
  readonly #data: DataStack;
  readonly #functions = new Map<string, ServiceFunction>();

  constructor(scope: Construct, id: string, { config, data, ...stack }: ServiceStackProps) {
    super(scope, id, stack);
    this.#config = config;
    this.#data = data;
    const endpoints = [...routeNames.map((name) => this.#makeEndpoint(name)), this.#makeFallback()];
    const gateway = new HttpGateway(this, 'Gateway', { config, endpoints });
    const scheduled = new Map(
      Object.entries<Schedule>(schedules).map(([name, schedule]) => [
        name,
        this.#makeScheduled(name, schedule),
      ]),
    );
    const monitoring = new Monitoring(this, 'Monitoring', {
      config,
      gateway,
      scheduled,
      functions: this.#functions,
      table: data.table,
      systems: catalog.systems.map(({ name }) => name),
    });
    this.#writeOutputs(gateway, monitoring);
  }

  #writeOutputs({ baseUrl, domain }: HttpGateway, { topic, dashboardName }: Monitoring): void {
    new CfnOutput(this, 'BaseUrl', { value: baseUrl });
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
    new CfnOutput(this, 'DashboardUrl', {
      value: `https://${this.region}.console.aws.amazon.com/cloudwatch/home?region=${this.region}#dashboards/dashboard/${dashboardName}`,
    });
    if (domain) {
      new CfnOutput(this, 'DomainTarget', { value: domain.regionalDomainName });
      new CfnOutput(this, 'DomainTargetZoneId', { value: domain.regionalHostedZoneId });
    }
  }

  #makeEndpoint(name: RouteName): Endpoint {
    const route = routes[name];
    return {
      keys: gatewayKeys(route),
      target: this.#makeFunction(name, declareRoute(route)),
      throttle: routeThrottles[name],
    };
  }

  #makeFallback(): Endpoint {
    return { keys: ['$default'], target: this.#makeFunction('fallback', declareFallback()) };
  }

  #makeScheduled(name: string, schedule: Schedule): ScheduledFunction {
    const target = this.#makeFunction(name, declareSchedule(schedule));
    new ScheduledRun(this, `${name}-clock`, { target, everyMinutes: schedule.everyMinutes });
    return { schedule, target };
  }

  #makeFunction(name: string, declaration: Declaration): ServiceFunction {
    const { service, logDays, production, dynamoDbEndpoint } = this.#config;
    const made = new ServiceFunction(this, name, {
      file: declaration.file,
      environment: {
        ...composeEnvironment(declaration, this.#settings()),
        ...(dynamoDbEndpoint !== undefined && { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint }),
      },
      statements: [
        ...tableStatements(this.#data, declaration.tableUses),
        ...(declaration.secrets ? secretStatements(this.#data) : []),
      ],
      service,
      logDays,
      production,
      reservedConcurrency: reservedConcurrency.get(name),
    });
    this.#functions.set(name, made);
    return made;
  }

  #settings(): Settings {
    const { table, identity, cursorSecret, hpcSecrets } = this.#data;
    const secretIds = [...hpcSecrets.bySystem].map(([name, { secretArn }]) => [name, secretArn]);
    return {
      table: { TABLE_NAME: table.tableName },
      identity,
      // Resolved by CloudFormation, so the template never holds it.
      paging: { CURSOR_SECRET: cursorSecret.secretValue.unsafeUnwrap() },
      // Where the credentials are, never what they are.
      secrets: { HPC_SECRETS: this.toJsonString(Object.fromEntries(secretIds)) },
    };
  }
}
