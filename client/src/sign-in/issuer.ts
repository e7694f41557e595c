import * as oauth from 'oauth4webapi';
import { limitCall, readText } from '../calls/limits.ts';
import { phrase } from '../words/formats.ts';
import { isSafeAddress } from './safe-address.ts';

/** An OpenID Connect issuer, and this application as one of its public clients. */
export interface Issuer {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
}

/** The issuer cannot be reached, or cannot answer now. It has not refused anything. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable';
}

const answerMs = 30_000;
const maxAnswerBytes = 1_000_000;

/** Public clients have no secret: PKCE or the device code proves who asked. */
export const publicClient: oauth.ClientAuth = oauth.None();

/** The library refuses plain http everywhere; `sendToIssuer` allows it on this machine only. */
export const requestOptions = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: sendToIssuer,
};

/** Reads the issuer's metadata, and refuses metadata that names another issuer (RFC 8414, 3.3). */
export async function discoverIssuer(address: string, clientId: string): Promise<Issuer> {
  const expected = new URL(address);
  const response = await oauth.discoveryRequest(expected, requestOptions);
  const server = await oauth.processDiscoveryResponse(expected, response);
  return { server, client: { client_id: clientId } };
}

/** Exchanges a refresh token. An issuer that returns no new one means the old one. */
export async function refreshTokens(
  { server, client }: Issuer,
  refreshToken: string,
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    publicClient,
    refreshToken,
    requestOptions,
  );
  const tokens = await oauth.processRefreshTokenResponse(server, client, response);
  return { refresh_token: refreshToken, ...tokens };
}

/** Explains why the issuer refused, or why its answer was not accepted. */
export function explainRefusal(error: unknown): string {
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError
  ) {
    return error.error_description ?? error.error;
  }
  if (!(error instanceof oauth.OperationProcessingError)) {
    return error instanceof Error ? error.message : String(error);
  }
  const { code, message } = error;
  if (message.includes('"id_token" property')) return phrase('issuer.noIdToken');
  return code === oauth.JWT_CLAIM_COMPARISON || code === oauth.JWT_TIMESTAMP_CHECK
    ? phrase('issuer.foreignIdToken')
    : phrase('issuer.unusableAnswer', { message });
}

/** Codes and tokens travel in these requests, so redirects are refused. */
async function sendToIssuer(
  address: string,
  { method, headers, body, signal }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
): Promise<Response> {
  if (!isSafeAddress(address)) {
    throw new Error(phrase('issuer.notEncrypted', { address }));
  }
  const limit = limitCall(answerMs, signal);
  try {
    const answer = await fetch(address, {
      method,
      headers,
      ...(body && { body }),
      redirect: 'error',
      signal: limit.signal,
    });
    const text = await readText(answer, { maxAnswerBytes });
    if (answer.status >= 500) throw new Error(phrase('issuer.answered', { status: answer.status }));
    return new Response(text === '' ? null : text, answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new IssuerUnreachable(
      phrase('issuer.unexpected', { origin: new URL(address).origin, reason }),
    );
  } finally {
    limit.end();
  }
}
