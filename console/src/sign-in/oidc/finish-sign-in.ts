import type { OidcConfig } from '#console/serving/console-config.ts';
import { goTo } from '../../browser/address.ts';
import { openService } from '../../connection/open-service.ts';
import { session } from '../../connection/session.ts';
import { keepTokens } from '../tokens/keep-tokens.ts';
import { readClaims } from '../tokens/read-claims.ts';
import { askForTokens, type Granted, refuseForeign } from './ask-for-tokens.ts';
import { signedInBefore, takeAttempt } from './attempt.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { discoverProvider } from './provider.ts';
import { returnAddress } from './write-address.ts';

/** What the issuer led back with, if it did: signed in, refused, or nothing of it. */
export async function finishSignIn(config: OidcConfig): Promise<'signed in' | 'refused' | 'none'> {
  const answer = new URLSearchParams(location.search);
  const attempt = takeAttempt(answer.get('state') ?? '');
  if (!attempt) return 'none';
  goTo(attempt.returnTo, { instead: true });
  const code = answer.get('code');
  if (code === null) return refuse(answer.get('error') ?? '');
  const { token: endpoint } = await discoverProvider(config.issuer);
  const granted = await askForTokens(endpoint, config, {
    grant_type: 'authorization_code',
    code,
    code_verifier: attempt.verifier,
    redirect_uri: returnAddress(location.origin),
  });
  refuseForeign(granted, attempt.nonce);
  open(config, endpoint, granted);
  return 'signed in';
}

/** That nobody is signed in is no error: it is what a silent try asks. */
function refuse(error: string): 'refused' {
  signedInBefore.forget();
  if (/^(login|interaction|consent|account_selection)_required$/.test(error)) return 'refused';
  throw new Error(`The issuer refused: ${error}.`);
}

function open(config: OidcConfig, endpoint: string, granted: Granted): void {
  let refreshToken = granted.refreshToken;
  const renew = async (): Promise<Granted> => {
    if (refreshToken === undefined) return leave();
    const renewed = await askForTokens(endpoint, config, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }).catch(leave);
    refreshToken = renewed.refreshToken;
    return renewed;
  };
  /** The page comes back where it was. */
  const leave = async (): Promise<never> => {
    await beginSignIn(config, false);
    return new Promise(() => undefined);
  };
  const token = keepTokens(granted, renew);
  signedInBefore.note();
  session.value = {
    ...readClaims(granted.token, config.claims),
    service: openService({ api: config.api, token }),
    signOut: () => void signOut(config, granted.idToken),
  };
}

async function signOut(config: OidcConfig, idToken: string | undefined): Promise<void> {
  signedInBefore.forget();
  session.value = undefined;
  const { endSession } = await discoverProvider(config.issuer);
  if (endSession === undefined) return;
  const address = new URL(endSession);
  address.searchParams.set('client_id', config.clientId);
  // The standard's name for it, and Cognito's.
  for (const name of ['post_logout_redirect_uri', 'logout_uri']) {
    address.searchParams.set(name, returnAddress(location.origin));
  }
  if (idToken !== undefined) address.searchParams.set('id_token_hint', idToken);
  location.assign(address);
}
