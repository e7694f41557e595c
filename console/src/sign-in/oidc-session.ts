import { AuthorizationResponseError, type TokenEndpointResponse } from 'oauth4webapi';
import {
  discoverIssuer,
  explainRefusal,
  type Issuer,
  refreshTokens,
} from '#client/src/sign-in/issuer.ts';
import type { OidcConfig } from '#console/serving/console-config.ts';
import { goTo } from '../browser/address.ts';
import { openService } from '../connection/open-service.ts';
import { session, tellSignedOut } from '../connection/session.ts';
import { signedInBefore, takeAttempt } from './attempt.ts';
import { keepTokens, type Tokens } from './keep-tokens.ts';
import { beginSignIn, readTokens, redeemCode, requireSafe, returnAddress } from './oidc.ts';
import { phrase } from './words.ts';

/** Completes a sign-in if the issuer has just redirected back to this page. */
export async function finishSignIn(config: OidcConfig): Promise<'signed-in' | 'refused' | 'none'> {
  const answer = new URLSearchParams(location.search);
  const state = answer.get('state') ?? '';
  const attempt = takeAttempt(state);
  if (!attempt) return 'none';
  goTo(attempt.returnTo, { instead: true });
  const issuer = await discoverIssuer(config.issuer, config.clientId);
  try {
    const granted = await redeemCode(issuer, answer, { ...attempt, state });
    openSession(config, issuer, granted);
    return 'signed-in';
  } catch (error) {
    signedInBefore.forget();
    if (isNobodySignedIn(error)) return 'refused';
    throw new Error(phrase('notSignedIn', { reason: explainRefusal(error) }));
  }
}

/** True if a silent attempt found nobody signed in at the issuer. That is not an error. */
function isNobodySignedIn(error: unknown): boolean {
  return (
    error instanceof AuthorizationResponseError &&
    /^(login|interaction|consent|account_selection)_required$/.test(error.error)
  );
}

function openSession(config: OidcConfig, issuer: Issuer, granted: TokenEndpointResponse): void {
  let refreshToken = granted.refresh_token;
  const renew = async (): Promise<Tokens> => {
    if (refreshToken === undefined) return leave();
    try {
      const renewed = await refreshTokens(issuer, refreshToken);
      refreshToken = renewed.refresh_token;
      return readTokens(renewed, config.token, Date.now());
    } catch {
      return leave();
    }
  };
  /** Redirects to the issuer. Never resolves, because this page is about to unload. */
  const leave = async (): Promise<never> => {
    await beginSignIn(config, false);
    return new Promise(() => undefined);
  };
  const first = readTokens(granted, config.token, Date.now());
  const token = keepTokens(first, renew);
  signedInBefore.note();
  session.value = {
    ...readClaims(first.token, config.claims),
    service: openService({ api: config.api, token }),
    api: config.api || location.origin,
    signOut: () => signOut(config, issuer, granted.id_token),
    signInAgain: () => void leave(),
  };
}

function signOut(config: OidcConfig, { server }: Issuer, idToken: string | undefined): void {
  signedInBefore.forget();
  session.value = undefined;
  tellSignedOut();
  if (server.end_session_endpoint === undefined) return;
  const address = new URL(requireSafe(server.end_session_endpoint));
  address.searchParams.set('client_id', config.clientId);
  // OpenID Connect uses the first name, Cognito the second.
  for (const name of ['post_logout_redirect_uri', 'logout_uri']) {
    address.searchParams.set(name, returnAddress(location.origin));
  }
  if (idToken !== undefined) address.searchParams.set('id_token_hint', idToken);
  location.assign(address);
}

/**
 * Reads the user and the role from the token, for display only. The token is not verified here:
 * the service verifies it on every request, so a forged one only changes the forger's own page.
 */
export function readClaims(
  token: string,
  names: OidcConfig['claims'],
): { readonly user: string; readonly administrator: boolean } {
  const claims = decodePart(token.split('.')[1] ?? '');
  const holds = (value: unknown) =>
    Array.isArray(value) ? value.includes(names.adminValue) : value === names.adminValue;
  return {
    user: String(claims[names.user] ?? ''),
    administrator: names.admin.some((name) => holds(claims[name])),
  };
}

function decodePart(part: string): Readonly<Record<string, unknown>> {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
