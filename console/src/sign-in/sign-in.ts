import { signal } from '@preact/signals';
import { AuthorizationResponseError, type TokenEndpointResponse } from 'oauth4webapi';
import {
  discoverIssuer,
  explainRefusal,
  type Issuer,
  refreshTokens,
} from '#client/src/sign-in/issuer.ts';
import type { ConsoleConfig, OidcConfig } from '#console/serving/console-config.ts';
import { goTo } from '../browser/address.ts';
import { openService } from '../connection/open-service.ts';
import { readConfig } from '../connection/read-config.ts';
import { onSignedOutElsewhere, session, tellSignedOut } from '../connection/session.ts';
import { signedInBefore, takeAttempt } from './attempt.ts';
import { keepTokens, type Tokens } from './keep-tokens.ts';
import { laptopKey } from './laptop-key.ts';
import { beginSignIn, readTokens, redeemCode, requireSafe, returnAddress } from './oidc.ts';
import { forgetUser, recallUser, signInOnLaptop } from './sign-in-on-laptop.ts';
import { phrase } from './words.ts';

/** What the sign-in page shows while nobody is signed in. */
export type SignInState =
  | { readonly at: 'looking' }
  | { readonly at: 'asking'; readonly config: ConsoleConfig }
  | { readonly at: 'failed'; readonly message: string };

export const signInState = signal<SignInState>({ at: 'looking' });

/** Signs in the user from before a reload, or shows the sign-in page if there was none. */
export async function signInAgain(): Promise<void> {
  try {
    const config = await readConfig();
    if (config.signIn === 'laptop') await continueOnLaptop(config.api);
    else if (!(await continueWith(config))) return;
    // Set this even if somebody is signed in, because they return to this page when they sign out.
    signInState.value = { at: 'asking', config };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    signInState.value = { at: 'failed', message };
  }
}

async function continueOnLaptop(api: string): Promise<void> {
  const user = recallUser();
  if (!user || laptopKey.value === undefined) return;
  try {
    await signInOnLaptop(api, user);
  } catch (error) {
    // If the key was refused, it is forgotten by now and the page asks for it.
    if (laptopKey.value !== undefined) throw error;
  }
}

/** Returns false if the page is about to redirect to the issuer. */
async function continueWith(config: OidcConfig): Promise<boolean> {
  const outcome = await finishSignIn(config);
  const leaves = outcome === 'none' && signedInBefore.read();
  if (leaves) await beginSignIn(config, true);
  return !leaves;
}

/** Signs this tab out, too, when the user signs out in another one. */
export function followSignOut(): void {
  onSignedOutElsewhere(() => {
    forgetUser();
    signedInBefore.forget();
    session.value = undefined;
  });
}

/** Completes a sign-in if the issuer has just redirected back to this page. */
async function finishSignIn(config: OidcConfig): Promise<'signed-in' | 'refused' | 'none'> {
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
