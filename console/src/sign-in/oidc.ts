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
 * Leaves for the issuer, which leads back here. A silent attempt comes back at once, signed in or
 * not. A reload signs in again that way, because tokens are kept in memory only.
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

/** The parts of an authorization request that change from one attempt to the next. */
export interface AuthorizationRequest {
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
  /** Whether the issuer answers at once, without asking the person anything. */
  readonly silent: boolean;
  readonly origin: string;
}

/** Writes the address at which a person signs in, for the code flow with PKCE. */
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
 * Exchanges the code for tokens. Only the ID token shows that the answer belongs to this attempt,
 * because a code from somebody else's sign-in comes with another nonce. So the ID token is required.
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

/** Issuers register exactly this address. */
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
