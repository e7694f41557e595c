import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** CodeDeploy's own: to point an alias to another version, and to see whether an alarm rings. */
export function makeReleaseRole(scope: Construct, id: string, service: string): Role {
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
