import {
  Aws,
  CfnCondition,
  CfnOutput,
  Fn,
  Lazy,
  NestedStack,
  Stack,
  type StackProps,
  Token,
} from 'aws-cdk-lib';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Listener, listeners } from '#functions/listeners.ts';
import { type RouteName, routeNames, routes } from '#functions/routes.ts';
import { type Schedule, schedules } from '#functions/schedules.ts';
import { type StreamReader, streams } from '#functions/streams.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import { listSweepCalls } from '#lib/jobs/run/sweep/sweep.ts';
import {
  declareFallback,
  declareRoute,
  declareStream,
  declareWork,
} from '../constructs/functions/declarations.ts';
import { type Endpoint, HttpGateway } from '../constructs/gateway/http-gateway.ts';
import type { IntegrationsStack } from '../constructs/gateway/integrations-stack.ts';
import type { ReleasesStack } from '../constructs/gateway/releases-stack.ts';
import { BusSubscription } from '../constructs/triggers/bus-subscription.ts';
import type {
  ListeningFunction,
  ReadingFunction,
  ScheduledFunction,
} from '../constructs/triggers/called-functions.ts';
import { DeadLetterQueue } from '../constructs/triggers/dead-letter-queue.ts';
import { JobReports } from '../constructs/triggers/job-reports.ts';
import { ScheduledRun } from '../constructs/triggers/scheduled-run.ts';
import { StreamSubscription } from '../constructs/triggers/stream-subscription.ts';
import type { AwsBatchSystem } from '../settings/aws-batch.ts';
import type { DeployConfig } from '../settings/config.ts';
import { domainFunctionName, domainNames, listEndpoints } from '../settings/domains.ts';
import {
  fallbackThrottle,
  routeThrottles,
  type StreamName,
  streamPaces,
} from '../settings/limits.ts';
import type { DataStack } from './data-stack.ts';
import { MonitoringStack } from './monitoring-stack.ts';
import { OutboundNetwork } from './outbound-network.ts';
import { ServiceFunctions } from './service-functions.ts';

const streamNames = Object.keys(streams).filter((name): name is StreamName => name in streams);

export interface ServiceStackProps extends StackProps {
  readonly config: DeployConfig;
  readonly data: DataStack;
  /** Origin of the console, if there is one. */
  readonly consoleOrigin: string | undefined;
}

/**
 * The stack with the gateway and what watches the service, and with the functions that nobody waits
 * for. Most endpoints have their functions in the stacks of their domains.
 */
export class ServiceStack extends Stack {
  /** Address of the gateway, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * The rules of the clock and the bus. Nested, because the service stack would exceed 500
   * resources.
   */
  readonly triggers: NestedStack;
  readonly monitoring: MonitoringStack;
  readonly releases: ReleasesStack | undefined;
  readonly integrations: IntegrationsStack;
  readonly #catalog: Catalog;
  readonly #awsBatch: readonly AwsBatchSystem[];
  readonly #data: DataStack;
  readonly #functions: ServiceFunctions;
  readonly #ofDomains: ReadonlyMap<string, { readonly lambda: IFunction }>;

  constructor(
    scope: Construct,
    id: string,
    { config, data, consoleOrigin, ...stack }: ServiceStackProps,
  ) {
    super(scope, id, stack);
    this.#catalog = config.catalog;
    this.#awsBatch = config.awsBatch;
    this.#data = data;
    this.#ofDomains = findFunctions(this, config.service);
    // Resolved lazily, because the gateway needs the functions and some functions need its address.
    const publicUrl = Lazy.string({ produce: () => gateway.baseUrl });
    this.triggers = new NestedStack(this, 'Triggers', {
      description: `Slipway ${config.stage}: what calls the functions in the background`,
    });
    this.#functions = new ServiceFunctions(this, {
      config,
      data,
      publicUrl,
      consoleOrigin,
      network: config.network && new OutboundNetwork(this, 'Network', config.network),
      nameFunction: (name) => `${config.service}-${name}`,
    });
    const endpoints = [...routeNames.map((name) => this.#makeEndpoint(name)), this.#makeFallback()];
    const gateway: HttpGateway = new HttpGateway(this, 'Gateway', { config, endpoints });
    this.baseUrl = gateway.baseUrl;
    // Exported even if nobody imports it. Otherwise a deployment that gives the API a domain name
    // would have to remove the export while the console's pages still use it.
    this.exportValue(gateway.ownAddress);
    this.releases = gateway.releases;
    this.integrations = gateway.integrations;
    this.monitoring = new MonitoringStack(this, 'Monitoring', {
      config,
      accessLog: gateway.accessLog,
      functions: this.#functions.byName,
      watched: {
        service: config.service,
        stage: gateway.stage,
        scheduled: mapRows<Schedule, ScheduledFunction>(schedules, (name, schedule) =>
          this.#makeScheduled(name, schedule),
        ),
        reading: new Map(streamNames.map((name) => [name, this.#makeReading(name)])),
        listening: mapRows<Listener, ListeningFunction>(listeners, (name, listener) =>
          this.#makeListening(name, listener),
        ),
        functions: new Map([...this.#ofDomains, ...this.#functions.byName]),
        table: data.table,
        systems: config.catalog.systems.map(({ name }) => name),
      },
    });
    this.#functions.checkEnvironments();
    this.#writeOutputs(gateway, this.monitoring);
  }

  #writeOutputs(
    { baseUrl, domain }: HttpGateway,
    { topics, dashboardName }: MonitoringStack,
  ): void {
    new CfnOutput(this, 'BaseUrl', { value: baseUrl });
    if (topics) {
      new CfnOutput(this, 'AlarmTopicArn', { value: topics.page.topicArn });
      new CfnOutput(this, 'TicketTopicArn', { value: topics.ticket.topicArn });
    }
    if (dashboardName !== undefined) {
      new CfnOutput(this, 'DashboardUrl', {
        value: `https://${this.region}.${this.#consoleHost()}/cloudwatch/home?region=${this.region}#dashboards/dashboard/${dashboardName}`,
      });
    }
    if (domain) {
      new CfnOutput(this, 'DomainTarget', { value: domain.regionalDomainName });
      new CfnOutput(this, 'DomainTargetZoneId', { value: domain.regionalHostedZoneId });
    }
  }

  /** Returns the host of the AWS console, which depends on the partition. */
  #consoleHost(): string {
    const others = {
      China: ['aws-cn', 'console.amazonaws.cn'],
      GovCloud: ['aws-us-gov', 'console.amazonaws-us-gov.com'],
      Sovereign: ['aws-eusc', 'console.amazonaws-eusc.eu'],
    } as const;
    return Object.entries(others).reduce((otherwise, [id, [partition, host]]) => {
      const expression = Fn.conditionEquals(Aws.PARTITION, partition);
      const { logicalId } = new CfnCondition(this, id, { expression });
      return Token.asString(Fn.conditionIf(logicalId, host, otherwise));
    }, 'console.aws.amazon.com');
  }

  #makeEndpoint(name: RouteName): Endpoint {
    const route = routes[name];
    return {
      name,
      keys: gatewayKeys(route),
      target:
        this.#ofDomains.get(name)?.lambda.functionArn ??
        this.#functions.make(name, declareRoute(route)),
      throttle: routeThrottles[name],
    };
  }

  #makeFallback(): Endpoint {
    return {
      name: 'fallback',
      keys: ['$default'],
      target: this.#functions.make('fallback', declareFallback()),
      throttle: fallbackThrottle,
    };
  }

  #makeScheduled(name: string, schedule: Schedule): ScheduledFunction {
    const target = this.#functions.make(name, declareWork(schedule));
    const { everyMinutes, perSystem = false } = schedule;
    const calls = perSystem ? listSweepCalls(this.#catalog.systems) : undefined;
    new ScheduledRun(this.triggers, `${name}-clock`, {
      target,
      everyMinutes,
      ...(calls && { calls }),
    });
    return { schedule, target };
  }

  #makeReading(name: StreamName): ReadingFunction {
    const reader: StreamReader = streams[name];
    const deadLetters = this.#keepLost(name, reader);
    const target = this.#functions.make(name, declareStream(reader), deadLetters);
    new StreamSubscription(this, `${name}-stream`, {
      table: this.#data.table,
      pace: streamPaces[name],
      target,
      reader,
      deadLetters,
    });
    return { target, deadLetters };
  }

  /** What a schedule takes up needs no queue: nobody could do anything about a message there. */
  #keepLost(
    name: string,
    { takenUpBy }: Pick<Listener | StreamReader, 'takenUpBy'>,
  ): DeadLetterQueue | undefined {
    return takenUpBy ? undefined : new DeadLetterQueue(this, `${name}-dead-letters`);
  }

  #makeListening(name: string, listener: Listener): ListeningFunction {
    const deadLetters = this.#keepLost(name, listener);
    const target = this.#functions.make(name, declareWork(listener), deadLetters);
    const { rule } = new BusSubscription(this.triggers, `${name}-bus`, {
      bus: this.#data.events,
      source: listener.source,
      target,
      deadLetters,
    });
    const queues = this.#awsBatch.flatMap(({ queue, classQueues }) => [queue, ...classQueues]);
    if (listener.awsBatch && queues.length > 0) {
      new JobReports(this.triggers, `${name}-reports`, { queues, target });
    }
    return { target, deadLetters, rule };
  }
}

/**
 * Refers to the functions in the stacks of the domains by their names. With imports, CloudFormation
 * would refuse to remove a function there before this stack has let go of it.
 */
function findFunctions(
  stack: Stack,
  service: string,
): ReadonlyMap<string, { readonly lambda: IFunction }> {
  const scope = new Construct(stack, 'Domains');
  return new Map(
    domainNames.flatMap((domain) =>
      listEndpoints(domain).map((name) => {
        const functionName = domainFunctionName(service, domain, name);
        return [name, { lambda: LambdaFunction.fromFunctionName(scope, name, functionName) }];
      }),
    ),
  );
}

function mapRows<Row, Made>(
  rows: Readonly<Record<string, Row>>,
  make: (name: string, row: Row) => Made,
): ReadonlyMap<string, Made> {
  return new Map(Object.entries(rows).map(([name, row]) => [name, make(name, row)]));
}
