import type { OidcConfig } from '#console/serving/console-config.ts';

export interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
  /** Whether the issuer comes back at once, signed in or not. */
  readonly silent: boolean;
  readonly origin: string;
}

/** Where a person is sent to sign in: OpenID Connect, with a code and PKCE. */
export function writeAddress(
  authorization: string,
  { clientId, scope, audience }: OidcConfig,
  { state, nonce, challenge, silent, origin }: Asked,
): string {
  const address = new URL(authorization);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: returnAddress(origin),
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(audience !== undefined && { audience }),
    ...(silent && { prompt: 'none' }),
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return address.href;
}

/** The one address that the issuer must know. */
export function returnAddress(origin: string): string {
  return `${origin}/console/`;
}
