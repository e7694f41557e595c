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
 * For a deployment without an issuer of its own: a user pool, so that the first one works by
 * itself. Callers send the ID token, which names the client as its audience and carries the
 * numeric user id; users cannot change that id themselves, or they could become each other.
 */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  readonly identity: IdentityInput;
  /** Where pages send people to sign in. */
  readonly signInHost: string | undefined;

  constructor(scope: Construct, id: string, { production, signInFrom }: UserDirectoryProps) {
    super(scope, id);
    const pool = makePool(this, production);
    const client = pool.addClient('Client', {
      authFlows: { userSrp: true, adminUserPassword: true },
      preventUserExistenceErrors: true,
      // Cognito's own list holds standard attributes alone, and a token without the user id is refused.
      readAttributes: new ClientAttributes()
        .withStandardAttributes({ email: true, emailVerified: true })
        .withCustomAttributes(userIdAttribute),
      // Without a list a user may write all that is mutable: `custom:user_id` rests on two walls.
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true }),
      // The CDK's own default hands tokens out in addresses of example.com.
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

  /** Its name must be the only one in the region: the account's number makes it so. */
  #addSignInPage(pool: UserPool): string {
    const { account, region, stackName } = Stack.of(this);
    const prefix = `${stackName}-${account}`;
    new CfnUserPoolDomain(this, 'SignIn', { userPoolId: pool.userPoolId, domain: prefix });
    return `${prefix}.auth.${region}.amazoncognito.com`;
  }
}

export interface UserDirectoryProps {
  readonly production: boolean;
  /** The origin of the console, whose page sends people here to sign in. */
  readonly signInFrom: string | undefined;
}

/** A code that only the page which asked for it can use, and no token in an address. */
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
