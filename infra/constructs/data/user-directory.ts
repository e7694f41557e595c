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
import { type LoopbackHost, listLoopbackAddresses } from '#client/src/sign-in/loopback.ts';
import type { CommandInput, IdentityInput } from '#lib/config.ts';
import { keepData, serviceHost } from '../../settings/stack-values.ts';

const adminGroup = 'slipway-admin';
const userIdAttribute = 'user_id';
/** Cognito's reference allows plain HTTP for this name alone. */
const redirectHost = 'localhost' satisfies LoopbackHost;

/**
 * Creates a Cognito user pool for deployments without their own issuer. Callers send the ID token,
 * which has the client as audience and contains the numeric user id. Users cannot change this id,
 * or they could impersonate each other.
 */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  readonly identity: IdentityInput;
  readonly command: CommandInput;
  /** Host of the sign-in page. */
  readonly signInHost: string;

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
      oAuth: allowCodes(signInFrom),
    });
    this.signInHost = this.#addSignInPage(pool);
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
    this.command = {
      COMMAND_CLIENT_ID: client.userPoolClientId,
      // Cognito refuses `offline_access`, and issues refresh tokens without it.
      COMMAND_SCOPE: OAuthScope.OPENID.scopeName,
      COMMAND_TOKEN: 'id_token',
      COMMAND_REDIRECT_HOST: redirectHost,
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
  /** Origin of the console, if there is one. */
  readonly signInFrom: string | undefined;
}

/**
 * Allows only the authorization code flow, so that tokens never appear in URLs. The console and the
 * command share the client, because the service accepts one audience.
 */
function allowCodes(console: string | undefined): OAuthSettings {
  const pages = console === undefined ? [] : [`${console}/console/`];
  return {
    flows: { authorizationCodeGrant: true },
    scopes: [OAuthScope.OPENID],
    callbackUrls: [...pages, ...listLoopbackAddresses(redirectHost)],
    ...(pages.length > 0 && { logoutUrls: pages }),
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
  const priced = 'The Plus plan is priced per user, and nobody can sign up by themselves.';
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
