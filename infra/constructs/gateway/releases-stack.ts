import { ArnFormat, Duration, NestedStack, Stack, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { percentOf5xx } from '../metrics/request-metrics.ts';
import { RunbookAlarm, type Watch } from '../monitoring/runbook-alarm.ts';

export interface ReleasesStackProps {
  readonly api: HttpApi;
  /** Name of the deployment and of its CodeDeploy application. */
  readonly service: string;
}

/**
 * Sends one request in ten to a new version for five minutes, then all. Rolls back if callers see
 * errors meanwhile. Each function has its own deployment group, because CodeDeploy runs one release
 * per group at a time and releases would take hours.
 *
 * Nested, because the service stack is close to the limit of resources. Groups have explicit names,
 * because the CDK omits references between stacks from update policies.
 */
export class ReleasesStack extends NestedStack {
  /** Makes the group of a function, which its alias names. */
  readonly makeGroup: (name: string) => void;
  readonly #service: string;

  constructor(scope: Construct, id: string, { api, service }: ReleasesStackProps) {
    super(scope, id, { description: `${service}: how new versions get to callers` });
    this.#service = service;
    const application = new CfnApplication(this, 'Application', {
      applicationName: service,
      computePlatform: 'Lambda',
    });
    const alarm = new RunbookAlarm(this, 'Alarm', watchRelease(api));
    const role = makeReleaseRole(this, 'Role', service);
    this.makeGroup = (name) => {
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

  /** Returns the ARN of the alias that callers use instead of a function of the service stack. */
  release(target: ServiceFunction): string {
    this.makeGroup(target.node.id);
    const { resource, alias } = addLiveAlias(target, this.#service);
    if (this.nestedStackResource) resource.addResourceDependency(this.nestedStackResource);
    return alias.functionArn;
  }
}

/** The alias that callers use instead of a function if releases are gradual. */
export const liveAlias = 'live';

/** CodeDeploy moves it to each new version. Its group is in the releases stack, under this name. */
export function addLiveAlias(target: ServiceFunction, applicationName: string) {
  const alias = target.lambda.addAlias(liveAlias);
  const resource = alias.node.defaultChild;
  if (!(resource instanceof CfnAlias)) throw new Error('The alias is not a CfnAlias.');
  resource.cfnOptions.updatePolicy = {
    codeDeployLambdaAliasUpdate: { applicationName, deploymentGroupName: target.node.id },
  };
  return { alias, resource };
}

/**
 * Rolls a release back. Crashes, timeouts and 500 responses of functions all appear as 5xx of the
 * gateway, so one alarm covers all. It reacts faster than the alarms that send email. It sends
 * none, because the operator sees the deployment fail.
 */
function watchRelease(api: HttpApi): Watch {
  return {
    heading: 'Release sent back',
    meaning: 'Two or more requests in a minute, and more than 1 %, were answered with 5xx.',
    metric: percentOf5xx(api, 2, Duration.minutes(1)),
    threshold: 1,
  };
}

/** Lets CodeDeploy move aliases to another version and read the state of alarms. */
function makeReleaseRole(scope: Construct, id: string, service: string): Role {
  // Function names start with the name of the service.
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
