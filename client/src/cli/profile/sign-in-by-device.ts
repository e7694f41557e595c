import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { CannotDo, outcome } from '../outcome/outcome.ts';
import { askForJson, askIssuer, readTokenAnswer } from './ask-issuer.ts';
import type { DeviceSignIn, Token } from './profile.ts';

const Discovery = v.object({
  issuer: v.string(),
  token_endpoint: v.string(),
  device_authorization_endpoint: v.exactOptional(v.string()),
});

const DeviceAnswer = v.object({
  device_code: v.string(),
  user_code: v.string(),
  verification_uri: v.string(),
  verification_uri_complete: v.exactOptional(v.string()),
  expires_in: v.number(),
  interval: v.optional(v.number(), 5),
});

export interface Prompt {
  readonly address: string;
  readonly code: string;
}

interface Waiting {
  readonly show: (prompt: Prompt) => void;
  readonly pause: (seconds: number) => Promise<void>;
  readonly now: () => number;
}

const grant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The device flow (RFC 8628): signed in elsewhere, in a browser, with whatever the issuer asks for. */
export async function signInByDevice(signIn: DeviceSignIn, waiting: Waiting): Promise<Token> {
  const found = await discover(signIn.issuer);
  if (found.device_authorization_endpoint === undefined) {
    throw new CannotDo(`${signIn.issuer} has no device flow.`, {
      next: 'Get a token from it in another way, and hand it over: slipway login --with-token < FILE',
    });
  }
  const { clientId, scope, audience } = signIn;
  const nonce = randomUUID();
  const asked = v.safeParse(
    DeviceAnswer,
    await askIssuer(found.device_authorization_endpoint, {
      client_id: clientId,
      scope,
      nonce,
      ...(audience !== undefined && { audience }),
    }),
  );
  if (!asked.success) throw refused('It takes no sign-in by a device for this client id.');
  const device = asked.output;
  const { user_code: code, verification_uri: plain } = device;
  waiting.show({ address: device.verification_uri_complete ?? plain, code });
  const deadline = waiting.now() + device.expires_in * 1000;
  for (let seconds = device.interval; waiting.now() < deadline; ) {
    await waiting.pause(seconds);
    const answer = readTokenAnswer(
      await askIssuer(found.token_endpoint, {
        grant_type: grant,
        device_code: device.device_code,
        client_id: clientId,
      }),
      waiting.now(),
    );
    if ('token' in answer) {
      const fault = judgeIdToken(answer.idToken, signIn, { nonce, now: waiting.now() });
      if (fault !== undefined) throw refused(fault);
      return answer.token;
    }
    if (answer.error === 'slow_down') seconds += 5;
    else if (answer.error !== 'authorization_pending') throw refused(answer.words);
  }
  throw refused('The code has expired.');
}

const IdClaims = v.object({
  iss: v.string(),
  aud: v.union([v.string(), v.array(v.string())]),
  exp: v.number(),
  nonce: v.exactOptional(v.string()),
});

/**
 * Says why tokens are not for this sign-in (OpenID Connect Core, 3.1.3.7). The ID token came straight
 * from the issuer over TLS, so its signature shows nothing more. The device flow has no place for a
 * nonce (RFC 8628): one is sent, and an issuer that knows it must give it back. Whoever signs in
 * without the scope `openid` has plain OAuth, which has no ID token.
 */
export function judgeIdToken(
  idToken: string | undefined,
  { issuer, clientId, scope }: Pick<DeviceSignIn, 'issuer' | 'clientId' | 'scope'>,
  { nonce, now }: { readonly nonce: string; readonly now: number },
): string | undefined {
  if (!scope.split(/\s+/).includes('openid')) return undefined;
  if (idToken === undefined) return 'The issuer sent no ID token.';
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), IdClaims), decodePart(idToken));
  if (!read.success) return 'The ID token of the issuer cannot be read.';
  const { iss, aud, exp, nonce: given } = read.output;
  const isOurs =
    iss.replace(/\/$/, '') === issuer.replace(/\/$/, '') &&
    [aud].flat().includes(clientId) &&
    exp * 1000 > now &&
    (given === undefined || given === nonce);
  return isOurs ? undefined : 'The issuer answered somebody else.';
}

function decodePart(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
}

/** Nothing where it is refused: then one signs in anew. */
export async function refreshToken(
  { issuer, clientId }: DeviceSignIn,
  refresh: string,
  now: number,
): Promise<Token | undefined> {
  const { token_endpoint: endpoint } = await discover(issuer);
  const answer = readTokenAnswer(
    await askIssuer(endpoint, {
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: clientId,
    }),
    now,
  );
  // An issuer that does not rotate them says nothing of the old one.
  return 'token' in answer ? { refresh, ...answer.token } : undefined;
}

async function discover(issuer: string) {
  const base = issuer.replace(/\/$/, '');
  const found = v.safeParse(
    Discovery,
    await askForJson(`${base}/.well-known/openid-configuration`),
  );
  // Whoever answers for another issuer must not get what is meant for this one (RFC 8414, 3.3).
  if (!found.success || found.output.issuer.replace(/\/$/, '') !== base) {
    throw new CannotDo(`${issuer} is no OpenID Connect issuer.`, {
      next: 'Ask whoever runs the service for its issuer.',
    });
  }
  return found.output;
}

function refused(words: string): CannotDo {
  return new CannotDo(`You are not signed in: ${words}`, {
    outcome: outcome.refused,
    next: 'Try again: slipway login',
  });
}
