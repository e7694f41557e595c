import * as oauth from 'oauth4webapi';
import {
  discoverIssuer,
  type Issuer,
  publicClient,
  requestOptions,
} from '#client/src/sign-in/issuer.ts';
import { isSafeAddress } from '#client/src/sign-in/safe-address.ts';
import type { OidcConfig } from '#console/serving/console-config.ts';
import { type Attempt, keepAttempt } from './attempt.ts';
import type { Tokens } from './keep-tokens.ts';

/**
 * Redirects to the issuer, which redirects back here. A silent attempt returns at once, signed in
 * or not. Reloads use it to sign in again, because tokens are kept in memory only.
 */
export async function beginSignIn(config: OidcConfig, silent: boolean): Promise<void> {
  const { server } = await discoverIssuer(config.issuer, config.clientId);
  const state = oauth.generateRandomState();
  const attempt = {
    verifier: oauth.generateRandomCodeVerifier(),
    nonce: oauth.generateRandomNonce(),
    returnTo: `${location.pathname}${location.search}`,
  };
  keepAttempt(state, attempt);
  location.assign(
    writeAddress(requireSafe(server.authorization_endpoint), config, {
      state,
      nonce: attempt.nonce,
      challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      silent,
      origin: location.origin,
    }),
  );
}

/** The parameters of an authorization request that differ between attempts. */
export interface AuthorizationRequest {
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
  /** If true, the issuer answers at once without showing a page. */
  readonly silent: boolean;
  readonly origin: string;
}

/** Builds the authorization URL for the code flow with PKCE. */
export function writeAddress(
  authorization: string,
  { clientId, scope, audience }: OidcConfig,
  { state, nonce, challenge, silent, origin }: AuthorizationRequest,
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

/**
 * Exchanges the code for tokens. Requires an ID token, because only its nonce proves that the code
 * belongs to this attempt and was not injected from somebody else's sign-in.
 */
export async function redeemCode(
  { server, client }: Issuer,
  answer: URLSearchParams,
  { state, nonce, verifier }: Pick<Attempt, 'nonce' | 'verifier'> & { readonly state: string },
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    publicClient,
    oauth.validateAuthResponse(server, client, answer, state),
    returnAddress(location.origin),
    verifier,
    requestOptions,
  );
  return oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
}

/** Returns the redirect address. It must match the one registered at the issuer exactly. */
export function returnAddress(origin: string): string {
  return `${origin}/console/`;
}

/** Picks the token that the service accepts. */
export function readTokens(
  answer: oauth.TokenEndpointResponse,
  wanted: OidcConfig['token'],
  now: number,
): Tokens {
  const token = answer[wanted];
  if (token === undefined) throw new Error(`The issuer sent no ${wanted}.`);
  return { token, endsAt: now + (answer.expires_in ?? 300) * 1000 };
}

export function requireSafe(address: string | undefined): string {
  if (address !== undefined && isSafeAddress(address)) return address;
  throw new Error('The issuer has no encrypted address to sign in at. Tell your administrator.');
}
