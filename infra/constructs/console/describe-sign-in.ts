import type { OidcConfig } from '#console/serving/console-config.ts';
import type { ConsoleSettings } from '#infra/settings/config.ts';
import type { IdentityInput } from '#lib/config.ts';

export interface SignInDescription {
  readonly config: Omit<OidcConfig, 'api'>;
  /** Whom the page talks to while somebody signs in. */
  readonly origins: readonly string[];
}

/** How the console signs in, from what the service trusts. */
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
      // A user directory of Cognito names its client in the ID token alone.
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

/** Without `new URL`, because the issuer may be known only to CloudFormation. */
function originOf(issuer: string): string {
  return issuer.split('/').slice(0, 3).join('/');
}
