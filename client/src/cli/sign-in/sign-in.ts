import * as oauth from 'oauth4webapi';
import { given } from '../../calls/given.ts';
import { exchangeCode, writeCodeRequest } from '../../sign-in/code-flow.ts';
import {
  discoverIssuer,
  explainRefusal,
  type Issuer,
  IssuerUnreachable,
  publicClient,
  refreshTokens,
  requestOptions,
} from '../../sign-in/issuer.ts';
import { phrase as writeShared } from '../../words/formats.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { type IssuerSignIn, requireSafeAddress, type Token } from './profile.ts';
import { openReceiver } from './receive-redirect.ts';

/** What a person needs to sign in with a browser. */
export interface Prompt {
  readonly address: string;
  /** Only in the device flow. */
  readonly code?: string;
  /** The port to which the browser returns, so it must run on this machine. */
  readonly port?: number;
}

interface Waiting {
  readonly show: (prompt: Prompt) => void;
  readonly pause: (seconds: number) => Promise<void>;
  readonly now: () => number;
  readonly interrupt: AbortSignal;
}

/** Signs in at an issuer: by the device flow if it has one, otherwise in a browser on this machine. */
export async function signInAtIssuer(signIn: IssuerSignIn, waiting: Waiting): Promise<Token> {
  const issuer = await findIssuer(signIn);
  const { server } = issuer;
  if (server.device_authorization_endpoint !== undefined) {
    return signInByDevice(issuer, signIn, waiting);
  }
  if (server.authorization_endpoint !== undefined) {
    return signInByBrowser(issuer, signIn, waiting);
  }
  throw new CannotDo(phrase('session.offersNoWayToSign', { issuer: signIn.issuer }), {
    next: phrase('session.getATokenInAnother'),
  });
}

/** Signs in with a browser on any device, which asks for whatever the issuer wants (RFC 8628). */
async function signInByDevice(
  issuer: Issuer,
  signIn: IssuerSignIn,
  waiting: Waiting,
): Promise<Token> {
  const nonce = oauth.generateRandomNonce();
  const device = await askForCode(issuer, signIn, nonce).catch(refuse);
  const { user_code: code, verification_uri: plain } = device;
  waiting.show({ address: device.verification_uri_complete ?? plain, code });
  const tokens = await waitForTokens(issuer, device, waiting);
  requireIdToken(tokens, signIn, nonce);
  return keepToken(tokens, signIn, waiting.now());
}

/** How long a person may take to sign in. */
const mostMinutes = 10;

/** Signs in with a browser on this machine, which returns with a code (RFC 8252, with PKCE). */
async function signInByBrowser(
  issuer: Issuer,
  signIn: IssuerSignIn,
  { show, now, interrupt }: Waiting,
): Promise<Token> {
  const receiver = await openReceiver(signIn.redirectHost);
  try {
    const attempt = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      redirectTo: receiver.address,
    };
    const address = writeCodeRequest(
      requireSafeAddress(issuer.server.authorization_endpoint ?? ''),
      {
        ...signIn,
        ...attempt,
        challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      },
    );
    show({ address, port: receiver.port });
    const timeout = AbortSignal.timeout(mostMinutes * 60_000);
    const answer = await receiver
      .receive(attempt.state, AbortSignal.any([interrupt, timeout]))
      .catch((error: unknown) => {
        if (!timeout.aborted) throw error;
        throw notSignedIn(phrase('session.nobodySignedInWithinMinutes', { mostMinutes }));
      });
    const tokens = await exchangeCode(issuer, answer, attempt).catch(refuse);
    return keepToken(tokens, signIn, now());
  } finally {
    receiver.close();
  }
}

async function askForCode(
  { server, client }: Issuer,
  { scope, audience }: IssuerSignIn,
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
  throw notSignedIn(phrase('session.theCodeHasExpired'));
}

/**
 * Requires an ID token for this sign-in (OpenID Connect Core, 3.1.3.7); the library has checked its
 * issuer, audience and times. It came straight from the issuer over TLS, so checking its signature
 * would add nothing. RFC 8628 has no nonce: one is sent, and an issuer that knows it must return it.
 * Without the scope `openid` this is plain OAuth, which has no ID token.
 */
function requireIdToken(
  tokens: oauth.TokenEndpointResponse,
  { scope }: IssuerSignIn,
  nonce: string,
): void {
  if (!scope.split(/\s+/).includes('openid')) return;
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw notSignedIn(writeShared('issuer.noIdToken'));
  if (claims.nonce !== undefined && claims.nonce !== nonce)
    throw notSignedIn(writeShared('issuer.foreignIdToken'));
}

/** Renews a token. Returns undefined if the issuer refuses, so that the person signs in again. */
export async function refreshToken(
  signIn: IssuerSignIn,
  refresh: string,
  now: number,
): Promise<Token | undefined> {
  const issuer = await findIssuer(signIn);
  try {
    return keepToken(await refreshTokens(issuer, refresh), signIn, now);
  } catch (error) {
    if (error instanceof IssuerUnreachable) throw unreachable(error);
    return undefined;
  }
}

/** Also finds an issuer that was written with or without the slash at the end of its name. */
async function findIssuer({ issuer, clientId }: IssuerSignIn): Promise<Issuer> {
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
  throw new CannotDo(phrase('session.isNotAnOpenIDConnect', { issuer }), {
    next: phrase('session.askThePeopleWhoRun'),
  });
}

/** Keeps the token that the service accepts. */
function keepToken(
  tokens: oauth.TokenEndpointResponse,
  { token: wanted = 'access_token' }: IssuerSignIn,
  now: number,
): Token {
  const access = tokens[wanted];
  if (access === undefined) throw notSignedIn(writeShared('issuer.noIdToken'));
  const { refresh_token: refresh, expires_in: seconds } = tokens;
  const end = seconds === undefined ? undefined : now + seconds * 1000;
  const expires = wanted === 'id_token' ? endOfIdToken(tokens) : end;
  return { access, ...given({ refresh, expires }) };
}

/** `expires_in` is about the access token. An ID token names its own end. */
function endOfIdToken(tokens: oauth.TokenEndpointResponse): number | undefined {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  return claims && claims.exp * 1000;
}

function refuse(error: unknown): never {
  if (error instanceof IssuerUnreachable) throw unreachable(error);
  throw notSignedIn(explainRefusal(error));
}

function notSignedIn(reason: string): CannotDo {
  return new CannotDo(phrase('session.youAreNotSignedInBecause', { reason }), {
    outcome: outcome.refused,
    next: phrase('session.tryAgain'),
  });
}

function unreachable({ message }: IssuerUnreachable): CannotDo {
  return new CannotDo(message, {
    outcome: outcome.unreachable,
    next: phrase('shared.tryAgainInAFew'),
  });
}
