import { Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolDomain,
  CfnUserPoolGroup,
  ClientAttributes,
  Mfa,
  OAuthScope,
  type OAuthSettings,
  StringAttribute,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { IdentityInput } from '#lib/config.ts';
import { keepData, serviceHost } from '../../settings/stack-values.ts';

const adminGroup = 'slipway-admin';
const userIdAttribute = 'user_id';

/**
 * Creates a Cognito user pool for deployments without their own issuer. Callers send the ID token,
 * which has the client as audience and contains the numeric user id. Users cannot change this id,
 * or they could impersonate each other.
 */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  readonly identity: IdentityInput;
  /** Host of the sign-in page. */
  readonly signInHost: string | undefined;

  constructor(scope: Construct, id: string, { production, signInFrom }: UserDirectoryProps) {
    super(scope, id);
    const pool = makePool(this, production);
    const client = pool.addClient('Client', {
      authFlows: { userSrp: true, adminUserPassword: true },
      preventUserExistenceErrors: true,
      // By default, clients read only standard attributes. Tokens without the user id are refused.
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true })
        .withCustomAttributes(userIdAttribute),
      // By default, users may write all mutable attributes. `custom:user_id` is also immutable.
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true }),
      // By default, the CDK enables OAuth with redirects to example.com.
      ...(signInFrom === undefined
        ? { disableOAuth: true }
        : { oAuth: letPagesSignIn(signInFrom) }),
    });
    if (signInFrom !== undefined) this.signInHost = this.#addSignInPage(pool);
    new CfnUserPoolGroup(this, 'Administrators', {
      userPoolId: pool.userPoolId,
      groupName: adminGroup,
    });
    this.poolId = pool.userPoolId;
    this.clientId = client.userPoolClientId;
    this.identity = {
      ISSUER: `https://${serviceHost(this, 'cognito-idp')}/${pool.userPoolId}`,
      AUDIENCE: client.userPoolClientId,
      USER_CLAIM: `custom:${userIdAttribute}`,
      ADMIN_CLAIMS: 'cognito:groups',
      ADMIN_VALUE: adminGroup,
    };
  }

  /** Adds the account number, because the name must be unique in the region. */
  #addSignInPage(pool: UserPool): string {
    const { account, region, stackName } = Stack.of(this);
    const prefix = `${stackName}-${account}`;
    new CfnUserPoolDomain(this, 'SignIn', { userPoolId: pool.userPoolId, domain: prefix });
    return `${prefix}.auth.${region}.amazoncognito.com`;
  }
}

export interface UserDirectoryProps {
  readonly production: boolean;
  /** Origin of the console, which redirects users to the sign-in page. */
  readonly signInFrom: string | undefined;
}

/** Allows only the authorization code flow, so that tokens never appear in URLs. */
function letPagesSignIn(origin: string): OAuthSettings {
  const address = `${origin}/console/`;
  return {
    flows: { authorizationCodeGrant: true },
    scopes: [OAuthScope.OPENID],
    callbackUrls: [address],
    logoutUrls: [address],
  };
}

function makePool(scope: Construct, production: boolean): UserPool {
  const pool = new UserPool(scope, 'Users', {
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    customAttributes: {
      [userIdAttribute]: new StringAttribute({ minLen: 1, maxLen: 32, mutable: false }),
    },
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
