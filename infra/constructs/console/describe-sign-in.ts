import type { OidcConfig } from '#console/serving/console-config.ts';
import type { ConsoleSettings } from '#infra/settings/config.ts';
import type { IdentityInput } from '#lib/config.ts';

export interface SignInDescription {
  readonly config: Omit<OidcConfig, 'api'>;
  /** Origins that the page connects to during sign-in. */
  readonly origins: readonly string[];
}

/** Describes how the console signs in, based on the issuer that the service trusts. */
export function describeSignIn(
  { clientId, scope }: ConsoleSettings,
  identity: IdentityInput,
  signInHost: string | undefined,
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
