import * as oauth from 'oauth4webapi';
import {
  discoverIssuer,
  explainRefusal,
  foreignIdToken,
  type Issuer,
  IssuerUnreachable,
  missingIdToken,
  publicClient,
  refreshTokens,
  requestOptions,
} from '../../sign-in/issuer.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { type DeviceSignIn, requireSafeAddress, type Token } from './profile.ts';

/** What a person needs to sign in with a browser. */
export interface Prompt {
  readonly address: string;
  readonly code: string;
}

interface Waiting {
  readonly show: (prompt: Prompt) => void;
  readonly pause: (seconds: number) => Promise<void>;
  readonly now: () => number;
}

/** Signs in with a browser on any device, which asks for whatever the issuer wants (RFC 8628). */
export async function signInByDevice(signIn: DeviceSignIn, waiting: Waiting): Promise<Token> {
  const issuer = await findIssuer(signIn);
  if (issuer.server.device_authorization_endpoint === undefined) {
    throw new CannotDo(`${signIn.issuer} does not offer the device flow.`, {
      next: 'Get a token in another way and pass it in: slipway login --with-token < FILE',
    });
  }
  const nonce = oauth.generateRandomNonce();
  const device = await askForCode(issuer, signIn, nonce).catch(refuse);
  const { user_code: code, verification_uri: plain } = device;
  waiting.show({ address: device.verification_uri_complete ?? plain, code });
  const tokens = await waitForTokens(issuer, device, waiting);
  requireIdToken(tokens, signIn, nonce);
  return readToken(tokens, waiting.now());
}

async function askForCode(
  { server, client }: Issuer,
  { scope, audience }: DeviceSignIn,
  nonce: string,
): Promise<oauth.DeviceAuthorizationResponse> {
  const asked = { scope, nonce, ...(audience !== undefined && { audience }) };
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    publicClient,
    asked,
    requestOptions,
  );
  return oauth.processDeviceAuthorizationResponse(server, client, response);
}

/** Polls at the pace that the issuer asks for, until the code expires. */
async function waitForTokens(
  { server, client }: Issuer,
  { device_code: code, expires_in: lasts, interval = 5 }: oauth.DeviceAuthorizationResponse,
  { pause, now }: Waiting,
): Promise<oauth.TokenEndpointResponse> {
  const deadline = now() + lasts * 1000;
  for (let seconds = interval; now() < deadline; ) {
    await pause(seconds);
    try {
      const response = await oauth.deviceCodeGrantRequest(
        server,
        client,
        publicClient,
        code,
        requestOptions,
      );
      return await oauth.processDeviceCodeResponse(server, client, response);
    } catch (error) {
      const word = error instanceof oauth.ResponseBodyError ? error.error : '';
      if (word === 'slow_down') seconds += 5;
      else if (word !== 'authorization_pending') refuse(error);
    }
  }
  throw notSignedIn('The code has expired.');
}

/**
 * Requires an ID token for this sign-in (OpenID Connect Core, 3.1.3.7); the library has checked its
 * issuer, audience and times. It came straight from the issuer over TLS, so checking its signature
 * would add nothing. RFC 8628 has no nonce: one is sent, and an issuer that knows it must return it.
 * Without the scope `openid` this is plain OAuth, which has no ID token.
 */
function requireIdToken(
  tokens: oauth.TokenEndpointResponse,
  { scope }: DeviceSignIn,
  nonce: string,
): void {
  if (!scope.split(/\s+/).includes('openid')) return;
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw notSignedIn(missingIdToken);
  if (claims.nonce !== undefined && claims.nonce !== nonce) throw notSignedIn(foreignIdToken);
}

/** Renews a token. Returns undefined if the issuer refuses, so that the person signs in again. */
export async function refreshToken(
  signIn: DeviceSignIn,
  refresh: string,
  now: number,
): Promise<Token | undefined> {
  const issuer = await findIssuer(signIn);
  try {
    return readToken(await refreshTokens(issuer, refresh), now);
  } catch (error) {
    if (error instanceof IssuerUnreachable) throw unreachable(error);
    return undefined;
  }
}

/** Also finds an issuer that was written with or without the slash at the end of its name. */
async function findIssuer({ issuer, clientId }: DeviceSignIn): Promise<Issuer> {
  requireSafeAddress(issuer);
  const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
  const names = new Set([issuer, other].map((name) => new URL(name).href));
  for (const name of names) {
    try {
      return await discoverIssuer(name, clientId);
    } catch (error) {
      if (error instanceof IssuerUnreachable) throw unreachable(error);
    }
  }
  throw new CannotDo(`${issuer} is not an OpenID Connect issuer.`, {
    next: 'Ask the people who run the service for the address of its issuer.',
  });
}

function readToken(
  { access_token: access, refresh_token: refresh, expires_in: seconds }: LooseTokens,
  now: number,
): Token {
  return {
    access,
    ...(refresh !== undefined && { refresh }),
    ...(seconds !== undefined && { expires: now + seconds * 1000 }),
  };
}

type LooseTokens = Pick<
  oauth.TokenEndpointResponse,
  'access_token' | 'refresh_token' | 'expires_in'
>;

function refuse(error: unknown): never {
  if (error instanceof IssuerUnreachable) throw unreachable(error);
  throw notSignedIn(explainRefusal(error));
}

function notSignedIn(reason: string): CannotDo {
  return new CannotDo(`You are not signed in: ${reason}`, {
    outcome: outcome.refused,
    next: 'Try again: slipway login',
  });
}

function unreachable({ message }: IssuerUnreachable): CannotDo {
  return new CannotDo(message, {
    outcome: outcome.unreachable,
    next: 'Try again in a few minutes.',
  });
}
