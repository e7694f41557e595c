import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnUserPoolGroup, StringAttribute, UserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { IdentityInput } from '../../lib/config.ts';

const adminGroup = 'slipway-admin';

/**
 * For a deployment without an issuer of its own: a user pool, so that the first one works by
 * itself. Callers send the ID token, which names the client as its audience and carries the
 * numeric user id; users cannot change that id themselves, or they could become each other.
 */
export class UserDirectory extends Construct {
  readonly identity: IdentityInput;

  constructor(scope: Construct, id: string, { production }: { production: boolean }) {
    super(scope, id);
    const pool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      customAttributes: { user_id: new StringAttribute({ minLen: 1, maxLen: 32, mutable: false }) },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireSymbols: true,
        requireUppercase: true,
      },
      deletionProtection: production,
      removalPolicy: production ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const client = pool.addClient('Client', {
      authFlows: { userSrp: true, adminUserPassword: true },
      preventUserExistenceErrors: true,
    });
    new CfnUserPoolGroup(this, 'Administrators', {
      userPoolId: pool.userPoolId,
      groupName: adminGroup,
    });
    this.identity = {
      ISSUER: `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${pool.userPoolId}`,
      AUDIENCE: client.userPoolClientId,
      USER_CLAIM: 'custom:user_id',
      ADMIN_CLAIMS: 'cognito:groups',
      ADMIN_VALUE: adminGroup,
    };
  }
}
