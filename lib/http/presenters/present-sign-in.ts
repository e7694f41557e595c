import type * as v from 'valibot';
import type { SignInSettings } from '#lib/config.ts';
import type { ProtectedResource } from '../answers/catalog.ts';

/** Says where users sign in, and how the command does (RFC 9728). Anybody may read it. */
export function presentSignIn({
  PUBLIC_URL: resource,
  ISSUER: issuer,
  AUDIENCE: audience,
  LOCAL_SIGN_IN: isLocal,
  COMMAND_CLIENT_ID: clientId,
  COMMAND_SCOPE: scope,
  COMMAND_TOKEN: token,
  COMMAND_REDIRECT_HOST: redirectHost,
}: SignInSettings): v.InferOutput<typeof ProtectedResource> {
  const service = {
    resource,
    bearer_methods_supported: ['header' as const],
    resource_documentation: `${resource}/docs/`,
  };
  if (isLocal) return { ...service, slipway_sign_in: { kind: 'local' } };
  return {
    ...service,
    authorization_servers: [issuer],
    scopes_supported: scope.split(/\s+/),
    slipway_sign_in: {
      kind: 'issuer',
      ...(clientId !== undefined && { client_id: clientId }),
      scope,
      // The audience of an ID token is always the client.
      ...(token === 'access_token' && { audience }),
      token,
      ...(redirectHost !== undefined && { redirect_host: redirectHost }),
    },
  };
}
