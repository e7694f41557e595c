import { NestedStack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { CfnAlias, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { ReleaseAlarm } from './release-alarm.ts';
import { makeReleaseRole } from './release-role.ts';

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

  /** What callers are sent to instead of the function itself. */
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
