import * as oauth from 'oauth4webapi';
import { exchangeCode, writeCodeRequest } from '#client/src/sign-in/code-flow.ts';
import { discoverIssuer, type Issuer } from '#client/src/sign-in/issuer.ts';
import { isSafeAddress } from '#client/src/sign-in/safe-address.ts';
import type { OidcConfig } from '#console/serving/console-config.ts';
import { type Attempt, keepAttempt } from './attempt.ts';
import type { Tokens } from './keep-tokens.ts';
import { phrase } from './words.ts';

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
  return writeCodeRequest(authorization, {
    clientId,
    redirectTo: returnAddress(origin),
    scope,
    audience,
    state,
    nonce,
    challenge,
    prompt: silent ? 'none' : undefined,
  });
}

/** Exchanges the code of the issuer's redirect for tokens. */
export async function redeemCode(
  issuer: Issuer,
  answer: URLSearchParams,
  attempt: Pick<Attempt, 'nonce' | 'verifier'> & { readonly state: string },
): Promise<oauth.TokenEndpointResponse> {
  return exchangeCode(issuer, answer, { ...attempt, redirectTo: returnAddress(location.origin) });
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
  if (token === undefined) throw new Error(phrase('issuerSentNo', { token: wanted }));
  return { token, endsAt: now + (answer.expires_in ?? 300) * 1000 };
}

export function requireSafe(address: string | undefined): string {
  if (address !== undefined && isSafeAddress(address)) return address;
  throw new Error(phrase('issuerNotEncrypted'));
}
