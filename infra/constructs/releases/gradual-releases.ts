import { Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ServiceFunction } from '../functions/service-function.ts';
import { ReleaseAlarm } from './release-alarm.ts';
import { makeReleaseRole } from './release-role.ts';

/**
 * Lets a new version of a function answer one request in ten for five minutes, then all of them; back
 * to the old one if callers see errors meanwhile. CodeDeploy runs one release of a group at a time,
 * so each function has a group of its own, or releases would take hours.
 */
export class GradualReleases extends Construct {
  readonly #application: LambdaApplication;
  readonly #alarm: ReleaseAlarm;
  readonly #role: IRole;

  constructor(scope: Construct, id: string, { api }: { api: HttpApi }) {
    super(scope, id);
    this.#application = new LambdaApplication(this, 'Application');
    this.#alarm = new ReleaseAlarm(this, 'Alarm', { api });
    // The CDK may add nothing to it: what it would add is for functions of any name.
    this.#role = makeReleaseRole(this, 'Role', Stack.of(this)).withoutPolicyUpdates();
  }

  /** What callers are sent to instead of the function itself. */
  release({ node, lambda }: ServiceFunction): IFunction {
    const alias = lambda.addAlias('live');
    new LambdaDeploymentGroup(this, node.id, {
      application: this.#application,
      alias,
      role: this.#role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [this.#alarm],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    // By its ARN, because the CDK's Alias has properties that an IFunction may not lack.
    const { functionArn } = alias;
    return LambdaFunction.fromFunctionAttributes(this, `${node.id}-live`, {
      functionArn,
      sameEnvironment: true,
    });
  }
}
