import { Aspects, CfnResource, Fn } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Gives all roles below a construct a permissions boundary: a policy of the account, by its name. No
 * stack creates it, because a deployment that may change its own boundary has none.
 */
export function limitRoles(scope: IConstruct, policyName: string): void {
  const boundary = Fn.sub(`arn:\${AWS::Partition}:iam::\${AWS::AccountId}:policy/${policyName}`);
  Aspects.of(scope).add({
    visit(node) {
      // Also roles that the CDK makes for its own functions, which are of no class for roles.
      if (!CfnResource.isCfnResource(node) || node.cfnResourceType !== 'AWS::IAM::Role') return;
      node.addPropertyOverride('PermissionsBoundary', boundary);
    },
  });
}
