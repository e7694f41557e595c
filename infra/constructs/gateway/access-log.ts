import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { keepData } from '../../settings/stack-values.ts';

/**
 * Fields of an access log line. Every log line of the function has the same `requestId`, and
 * problems show it as `instance`. Headers and queries are left out, because they contain tokens.
 */
const line = {
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

export interface AccessLogProps {
  readonly logDays: RetentionDays;
  readonly production: boolean;
}

export class AccessLog extends Construct {
  readonly logGroup: LogGroup;
  readonly settings: IAccessLogSettings;

  constructor(scope: Construct, id: string, { logDays, production }: AccessLogProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Log', {
      retention: logDays,
      removalPolicy: keepData(production),
    });
    this.settings = {
      destination: new LogGroupLogDestination(this.logGroup),
      format: AccessLogFormat.custom(JSON.stringify(line)),
    };
  }
}
