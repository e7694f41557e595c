import { Duration, Size, Validations } from 'aws-cdk-lib';
import {
  type IManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  CfnFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { UserIds } from '#lib/config.ts';
import { keepData } from '../../settings/stack-values.ts';
import { bundleCode } from './bundle-code.ts';
import { commonVariables } from './compose-environment.ts';

export interface ServiceFunctionProps {
  /** The file under functions/, without its extension. */
  readonly file: string;
  /** Catalog that is built into the bundle. */
  readonly catalog: Catalog;
  /** Who assigns user numbers. The bundle contains the code for it only if needed. */
  readonly userIds?: UserIds;
  /** Whether it uses the table. Otherwise the bundle leaves out the SDK for DynamoDB. */
  readonly hasTable: boolean;
  readonly sendsMail: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Permissions, in addition to writing logs and traces. */
  readonly statements: readonly PolicyStatement[];
  /** Permissions that another stack defines. */
  readonly policies?: readonly IManagedPolicy[];
  /** The name in metrics, logs and traces. */
  readonly service: string;
  /** The name in AWS. It begins with that of the service, which roles rely on. */
  readonly functionName: string;
  readonly logDays: RetentionDays;
  /** Whether X-Ray traces its runs. */
  readonly traces: boolean;
  readonly production: boolean;
  /** Whether Lambda logs only those of its runs that fail. */
  readonly quiet?: boolean | undefined;
  readonly timeoutSeconds: number;
  /** The size of its disk. Default: Lambda's. */
  readonly diskMegabytes?: number | undefined;
  readonly reservedConcurrency?: number | undefined;
  /** Subnets and security groups in the operator's network. */
  readonly vpcConfig?: CfnFunction.VpcConfigProperty | undefined;
}

/** A Lambda function with its own role and log group. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Log', {
      retention: props.logDays,
      removalPolicy: keepData(props.production),
    });
    this.environment = { ...props.environment, ...commonVariables(props.service) };
    this.lambda = new LambdaFunction(this, 'Function', {
      // Set explicitly, because generated names truncate the stack name and roles could not match
      // them.
      functionName: props.functionName,
      description: `Slipway: ${id}`,
      code: bundleCode(props),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(props.timeoutSeconds),
      // Prevents the CDK from adding permissions that are not listed here.
      role: this.#makeRole(props).withoutPolicyUpdates(),
      environment: this.environment,
      tracing: props.traces ? Tracing.ACTIVE : Tracing.DISABLED,
      logGroup: this.logGroup,
      // Makes Lambda's own log lines JSON too. Our logger bypasses the console that Lambda wraps,
      // so its lines and metrics are not changed.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: props.quiet ? SystemLogLevel.WARN : SystemLogLevel.INFO,
      ...(props.diskMegabytes !== undefined && {
        ephemeralStorageSize: Size.mebibytes(props.diskMegabytes),
      }),
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
    });
    if (props.vpcConfig) this.#putInto(props.vpcConfig);
    if (props.traces) return;
    Validations.of(this.lambda).acknowledge({
      id: 'Serverless-LambdaTracing',
      reason: 'Log lines with the id of the request answer the same questions for less.',
    });
  }

  /** Acknowledges that the gateway is its only caller. */
  acknowledgeCaller(): void {
    Validations.of(this.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Only the gateway calls it, and waits for the answer: no event is left over.',
    });
  }

  /**
   * Sets the network by ids only. The CDK's `vpc` would need availability zones and route tables.
   */
  #putInto(network: CfnFunction.VpcConfigProperty): void {
    const resource = this.lambda.node.defaultChild;
    if (!(resource instanceof CfnFunction)) throw new Error('The function is not a CfnFunction.');
    resource.vpcConfig = network;
  }

  #makeRole({ statements, policies = [], traces }: ServiceFunctionProps): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: [...policies],
      inlinePolicies: {
        Declared: new PolicyDocument({
          // Keep statements separate, so that they can be compared with the declaration.
          minimize: false,
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [this.logGroup.logGroupArn],
            }),
            ...(traces ? [traceStatement()] : []),
            ...statements,
          ],
        }),
      },
    });
    const reason =
      "X-Ray's two write actions and ListStreams cannot be limited to resources; a test compares every other statement with what the function declares.";
    Validations.of(role).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason },
      { id: 'Serverless-LambdaStarPermissions', reason },
    );
    return role;
  }
}

function traceStatement(): PolicyStatement {
  return new PolicyStatement({
    actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    resources: ['*'],
  });
}
