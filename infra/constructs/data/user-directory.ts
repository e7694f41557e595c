import { Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolGroup,
  Mfa,
  StringAttribute,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { keepData } from '#infra/settings/keep-data.ts';
import type { IdentityInput } from '#lib/config.ts';

const adminGroup = 'slipway-admin';

/**
 * For a deployment without an issuer of its own: a user pool, so that the first one works by
 * itself. Callers send the ID token, which names the client as its audience and carries the
 * numeric user id; users cannot change that id themselves, or they could become each other.
 */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  readonly identity: IdentityInput;

  constructor(scope: Construct, id: string, { production }: { production: boolean }) {
    super(scope, id);
    const pool = makePool(this, production);
    const client = pool.addClient('Client', {
      authFlows: { userSrp: true, adminUserPassword: true },
      preventUserExistenceErrors: true,
    });
    new CfnUserPoolGroup(this, 'Administrators', {
      userPoolId: pool.userPoolId,
      groupName: adminGroup,
    });
    this.poolId = pool.userPoolId;
    this.clientId = client.userPoolClientId;
    this.identity = {
      ISSUER: `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${pool.userPoolId}`,
      AUDIENCE: client.userPoolClientId,
      USER_CLAIM: 'custom:user_id',
      ADMIN_CLAIMS: 'cognito:groups',
      ADMIN_VALUE: adminGroup,
    };
  }
}

function makePool(scope: Construct, production: boolean): UserPool {
  const pool = new UserPool(scope, 'Users', {
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
    mfa: Mfa.OPTIONAL,
    mfaSecondFactor: { otp: true, sms: false },
    accountRecovery: AccountRecovery.EMAIL_ONLY,
    deletionProtection: production,
    removalPolicy: keepData(production),
  });
  const priced =
    'The Plus plan is priced per user; nobody can sign up, and no public page signs in.';
  Validations.of(pool).acknowledge(
    {
      id: 'AwsSolutions-COG2',
      reason: 'Scripts of researchers sign in without a second factor; each user may add one.',
    },
    { id: 'AwsSolutions-COG3', reason: priced },
    { id: 'AwsSolutions-COG8', reason: priced },
  );
  return pool;
}
