import * as oauth from 'oauth4webapi';
import { type Issuer, publicClient, requestOptions } from './issuer.ts';

/** An authorization request for the code flow with PKCE. */
export interface CodeRequest {
  readonly clientId: string;
  readonly redirectTo: string;
  readonly scope: string;
  readonly audience?: string | undefined;
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
  /** If 'none', the issuer answers at once without showing a page. */
  readonly prompt?: 'none' | undefined;
}

/** Builds the address at which a person signs in. */
export function writeCodeRequest(authorization: string, request: CodeRequest): string {
  const { audience, prompt } = request;
  const address = new URL(authorization);
  const asked = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectTo,
    scope: request.scope,
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
    ...(audience !== undefined && { audience }),
    ...(prompt !== undefined && { prompt }),
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return address.href;
}

/** What proves that a code belongs to an attempt. */
export interface CodeProof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectTo: string;
}

/**
 * Exchanges the code for tokens. Requires an ID token, because only its nonce proves that the code
 * belongs to this attempt and was not injected from somebody else's sign-in.
 */
export async function exchangeCode(
  { server, client }: Issuer,
  answer: URLSearchParams,
  { state, nonce, verifier, redirectTo }: CodeProof,
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    publicClient,
    oauth.validateAuthResponse(server, client, answer, state),
    redirectTo,
    verifier,
    requestOptions,
  );
  return oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
}
