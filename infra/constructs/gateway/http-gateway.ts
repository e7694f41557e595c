import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnRoute,
  CfnStage,
  CorsHttpMethod,
  type CorsPreflightOptions,
  DomainName,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { crossOrigin } from '#lib/http/cross-origin.ts';
import type { DeployConfig } from '../../settings/config.ts';
import type { Throttle } from '../../settings/limits.ts';
import { keepData } from '../../settings/stack-values.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { IntegrationsStack } from './integrations-stack.ts';
import { liveAlias, ReleasesStack } from './releases-stack.ts';

export interface Endpoint {
  readonly name: string;
  /** `METHOD /path`, or `$default`. */
  readonly keys: readonly string[];
  /** A function of this stack, or the ARN of one in the stack of its domain. */
  readonly target: ServiceFunction | string;
  readonly throttle?: Throttle | undefined;
}

export interface HttpGatewayProps {
  readonly config: DeployConfig;
  readonly endpoints: readonly Endpoint[];
}

/**
 * Fields of an access log line. Every log line of the function has the same `requestId`, and
 * problems show it as `instance`. Headers and queries are left out, because they contain tokens.
 */
const accessLogLine = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  routeKey: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
  gatewayError: '$context.error.message',
} as const;

/** The HTTP API with a single stage at the root path. */
export class HttpGateway extends Construct {
  readonly stage: HttpStage;
  readonly accessLog: LogGroup;
  /** The operator creates its DNS record (docs/settings.md). */
  readonly domain: DomainName | undefined;
  /** Present if releases are gradual. */
  readonly releases: ReleasesStack | undefined;
  readonly integrations: IntegrationsStack;
  /** Has no trailing slash, because paths are appended to it. */
  readonly baseUrl: string;
  /** The address that AWS chose, which keeps working next to a domain name. */
  readonly ownAddress: string;

  constructor(scope: Construct, id: string, { config, endpoints }: HttpGatewayProps) {
    super(scope, id);
    const { domain, throttle, service } = config;
    const api = new HttpApi(this, 'Api', {
      apiName: service,
      createDefaultStage: false,
      ...(config.corsOrigins.length > 0 && { corsPreflight: allowOrigins(config.corsOrigins) }),
    });
    this.releases =
      config.release === 'gradual'
        ? new ReleasesStack(this, 'Releases', { api, service })
        : undefined;
    this.integrations = new IntegrationsStack(this, 'Integrations', { api, service });
    const routes = endpoints.flatMap((endpoint) => this.#addRoutes(api, endpoint));
    chainInGroups(routes);
    this.accessLog = new LogGroup(new Construct(this, 'Access'), 'Log', {
      retention: config.logDays,
      removalPolicy: keepData(config.production),
    });
    this.domain =
      domain &&
      new DomainName(this, 'Domain', {
        domainName: domain.name,
        certificate: Certificate.fromCertificateArn(
          this,
          'DomainCertificate',
          domain.certificateArn,
        ),
      });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      autoDeploy: true,
      throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogLine)),
      },
      ...(this.domain && { domainMapping: { domainName: this.domain } }),
    });
    // API Gateway refuses settings for routes that do not exist yet.
    this.stage.node.addDependency(...routes);
    limitRoutes(this.stage, endpoints, throttle);
    this.ownAddress = api.apiEndpoint;
    this.baseUrl = domain ? `https://${domain.name}` : this.ownAddress;
  }

  #addRoutes(api: HttpApi, { name, keys, target }: Endpoint): CfnRoute[] {
    const integrationId = this.integrations.add(name, keys, this.#findCalled(name, target));
    return keys.map((routeKey) => {
      const route = new CfnRoute(new Construct(this, routeKey), 'Resource', {
        apiId: api.apiId,
        routeKey,
        authorizationType: 'NONE',
        target: `integrations/${integrationId}`,
      });
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'Every function verifies the token itself (docs/decisions/0001), tested per route.',
      });
      return route;
    });
  }

  /** Returns the ARN that the gateway calls: that of the function, or of its alias. */
  #findCalled(name: string, target: ServiceFunction | string): string {
    if (typeof target === 'string') {
      this.releases?.makeGroup(name);
      return this.releases ? `${target}:${liveAlias}` : target;
    }
    target.acknowledgeCaller();
    return this.releases?.release(target) ?? target.lambda.functionArn;
  }
}

/** The most routes that CloudFormation creates at the same time. */
const routesAtOnce = 20;

/**
 * Lets each route of a group of twenty wait for one of the group before. Otherwise CloudFormation creates all of them at
 * once, and API Gateway, which accepts few such calls a second in an account, may throttle a first
 * deployment until it fails.
 */
function chainInGroups(routes: readonly CfnRoute[]): void {
  for (const [index, route] of routes.entries()) {
    const before = routes[index - routesAtOnce];
    if (before) route.addResourceDependency(before);
  }
}

/** Sets limits of single routes, capped at the limit of the stage. */
function limitRoutes(stage: HttpStage, endpoints: readonly Endpoint[], widest: Throttle): void {
  const resource = stage.node.defaultChild;
  if (!(resource instanceof CfnStage)) throw new Error('The stage is not a CfnStage.');
  resource.routeSettings = Object.fromEntries(
    endpoints.flatMap(({ keys, throttle }) =>
      throttle === undefined
        ? []
        : keys.map((key) => [
            key,
            {
              ThrottlingRateLimit: Math.min(throttle.rate, widest.rate),
              ThrottlingBurstLimit: Math.min(throttle.burst, widest.burst),
            },
          ]),
    ),
  );
}

function allowOrigins(origins: readonly string[]): CorsPreflightOptions {
  return {
    allowOrigins: [...origins],
    allowMethods: crossOrigin.methods.map((method) => CorsHttpMethod[method]),
    allowHeaders: [...crossOrigin.headers],
    exposeHeaders: [...crossOrigin.exposed],
    maxAge: Duration.seconds(crossOrigin.maxAgeSeconds),
  };
}
