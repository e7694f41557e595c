import type { OidcConfig } from './console-config.ts';

/** How the issuer knows the console. */
export interface ConsoleClient {
  /** Undefined for the user directory of a deployment, which has one client for everything. */
  readonly clientId: string | undefined;
  readonly scope: string;
}

/** The issuer and the claims, in the variables of the functions. */
interface Identity {
  readonly ISSUER: string;
  readonly AUDIENCE: string;
  readonly USER_CLAIM?: string | undefined;
  readonly ADMIN_CLAIMS?: string | undefined;
  readonly ADMIN_VALUE?: string | undefined;
}

export interface SignInDescription {
  readonly config: Omit<OidcConfig, 'api'>;
  /** Origins that the page connects to during sign-in. */
  readonly origins: readonly string[];
}

/** Describes how the console signs in, based on the issuer that the service trusts. */
export function describeSignIn(
  { clientId, scope }: ConsoleClient,
  identity: Identity,
  signInHost?: string,
): SignInDescription {
  const { ISSUER: issuer, AUDIENCE: audience } = identity;
  const isOwn = clientId !== undefined;
  return {
    config: {
      signIn: 'oidc',
      issuer,
      clientId: clientId ?? audience,
      scope,
      ...(isOwn && { audience }),
      // Only Cognito's ID token has the client as its audience.
      token: isOwn ? 'access_token' : 'id_token',
      claims: {
        user: identity.USER_CLAIM ?? 'sub',
        admin: (identity.ADMIN_CLAIMS ?? 'groups,cognito:groups').split(','),
        adminValue: identity.ADMIN_VALUE ?? 'slipway-admin',
      },
    },
    origins: [originOf(issuer), ...(signInHost === undefined ? [] : [`https://${signInHost}`])],
  };
}

/** Avoids `new URL`, because the issuer may be a CloudFormation token. */
function originOf(issuer: string): string {
  return issuer.split('/').slice(0, 3).join('/');
}
