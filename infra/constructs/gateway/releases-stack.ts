import { ArnFormat, Duration, NestedStack, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { runbookHeadings } from '../monitoring/runbook-alarm.ts';

export interface ReleasesStackProps {
  readonly api: HttpApi;
  /** The name of the deployment, by which its releases are found. */
  readonly service: string;
}

/**
 * Lets a new version of a function answer one request in ten for five minutes, then all of them; back
 * to the old one if callers see errors meanwhile. CodeDeploy runs one release of a group at a time,
 * so each function has a group of its own, or releases would take hours.
 *
 * The groups are a stack within that of the functions, which is full enough without them. They have
 * names, because the CDK leaves references between stacks out of update policies.
 */
export class ReleasesStack extends NestedStack {
  readonly #service: string;
  readonly #makeGroup: (name: string) => void;

  constructor(scope: Construct, id: string, { api, service }: ReleasesStackProps) {
    super(scope, id, { description: `${service}: how new versions get to callers` });
    this.#service = service;
    const application = new CfnApplication(this, 'Application', {
      applicationName: service,
      computePlatform: 'Lambda',
    });
    const alarm = new ReleaseAlarm(this, 'Alarm', { api });
    const role = makeReleaseRole(this, 'Role', service);
    this.#makeGroup = (name) => {
      new CfnDeploymentGroup(this, name, {
        applicationName: application.ref,
        deploymentGroupName: name,
        serviceRoleArn: role.roleArn,
        deploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        deploymentStyle: {
          deploymentType: 'BLUE_GREEN',
          deploymentOption: 'WITH_TRAFFIC_CONTROL',
        },
        alarmConfiguration: { enabled: true, alarms: [{ name: alarm.alarmName }] },
        autoRollbackConfiguration: {
          enabled: true,
          events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
    };
  }

  /** Returns the alias that callers use instead of the function. */
  release(target: ServiceFunction): IFunction {
    const name = target.node.id;
    this.#makeGroup(name);
    const alias = target.lambda.addAlias('live');
    const resource = alias.node.defaultChild;
    if (!(resource instanceof CfnAlias)) throw new Error('The alias is not a CfnAlias.');
    resource.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: { applicationName: this.#service, deploymentGroupName: name },
    };
    if (this.nestedStackResource) resource.addResourceDependency(this.nestedStackResource);
    // By its ARN, because the CDK's Alias has properties that an IFunction may not lack.
    return LambdaFunction.fromFunctionAttributes(target, 'Live', {
      functionArn: alias.functionArn,
      sameEnvironment: true,
    });
  }
}

const period = Duration.minutes(1);

/**
 * What sends a release back. A function that crashes, runs out of time or answers 500 is a 5xx of the
 * gateway, so one alarm is enough for all. It rings within minutes, as those that write mails do not,
 * and writes none: the deployment that fails tells its operator.
 */
class ReleaseAlarm extends Alarm {
  constructor(scope: Construct, id: string, { api }: { api: HttpApi }) {
    super(scope, id, {
      alarmDescription: `Two or more requests in a minute, and more than 1 %, were answered with 5xx. See docs/runbook.md, "${runbookHeadings.releaseSentBack}".`,
      metric: new MathExpression({
        expression: 'IF(errors >= 2, 100 * errors / requests, 0)',
        label: '5xx, per cent',
        usingMetrics: {
          errors: api.metricServerError({ statistic: 'Sum', period }),
          requests: api.metricCount({ statistic: 'SampleCount', period }),
        },
        period,
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

/** CodeDeploy's own: to point an alias to another version, and to see whether an alarm rings. */
function makeReleaseRole(scope: Construct, id: string, service: string): Role {
  // Functions are named after their service, and an alias after its function.
  const functions = Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: `${service}-*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: {
      Releases: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: [
              'lambda:GetAlias',
              'lambda:GetProvisionedConcurrencyConfig',
              'lambda:UpdateAlias',
            ],
            resources: [functions],
          }),
          new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
        ],
      }),
    },
  });
  const shown = `arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:${service}-*`;
  const reason =
    'The functions of this service, whose names all begin like this; DescribeAlarms cannot be limited to one alarm.';
  Validations.of(role).acknowledge(
    { id: 'AwsSolutions-IAM5[Resource::*]', reason },
    { id: `AwsSolutions-IAM5[Resource::${shown}]`, reason },
  );
  return role;
}
