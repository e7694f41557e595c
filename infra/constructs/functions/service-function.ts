import { Duration, Validations } from 'aws-cdk-lib';
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
  /** The file under functions/, without its ending. */
  readonly file: string;
  /** The catalog that is built into it. */
  readonly catalog: Catalog;
  /** Who gives users their numbers: it is built with what it needs for that. */
  readonly userIds?: UserIds;
  /** Whether it may use the table: without, it is built without the SDK for it. */
  readonly hasTable: boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Its rights, besides writing its own log and traces. */
  readonly statements: readonly PolicyStatement[];
  /** The same, as far as another stack keeps it. */
  readonly policies?: readonly IManagedPolicy[];
  /** The name in metrics, logs and traces. */
  readonly service: string;
  readonly logDays: RetentionDays;
  readonly production: boolean;
  readonly timeoutSeconds: number;
  readonly reservedConcurrency?: number | undefined;
  /** Its place in the operator's network. */
  readonly vpcConfig?: CfnFunction.VpcConfigProperty | undefined;
}

/** A function with its own role and log. */
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
      // CloudFormation cuts the stack's name short in names of its own, and roles could not name them.
      functionName: `${props.service}-${id}`,
      description: `Slipway: ${id}`,
      code: bundleCode(props),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(props.timeoutSeconds),
      // The CDK may add nothing to it: what is not written here is not allowed.
      role: this.#makeRole(props).withoutPolicyUpdates(),
      environment: this.environment,
      tracing: Tracing.ACTIVE,
      logGroup: this.logGroup,
      // Lambda's own lines as JSON too. The logger writes past the console that Lambda
      // wraps, so its lines and metrics arrive as they are.
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.INFO,
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
    });
    if (props.vpcConfig) this.#putInto(props.vpcConfig);
  }

  /** Refers to the network by ids alone. The CDK's own way would need zones and route tables. */
  #putInto(network: CfnFunction.VpcConfigProperty): void {
    const resource = this.lambda.node.defaultChild;
    if (!(resource instanceof CfnFunction)) throw new Error('The function is not a CfnFunction.');
    resource.vpcConfig = network;
  }

  #makeRole({ statements, policies = [] }: ServiceFunctionProps): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: [...policies],
      inlinePolicies: {
        Declared: new PolicyDocument({
          // Merged statements would be shorter and could no longer be read against the declaration.
          minimize: false,
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [this.logGroup.logGroupArn],
            }),
            new PolicyStatement({
              actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
              resources: ['*'],
            }),
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
