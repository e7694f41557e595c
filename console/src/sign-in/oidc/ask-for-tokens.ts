import type { OidcConfig } from '#console/serving/console-config.ts';
import type { Tokens } from '../tokens/keep-tokens.ts';
import { readNonce } from '../tokens/read-claims.ts';

export interface Granted extends Tokens {
  /** Whose nonce must be that of the attempt. */
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** The issuer no longer knows who this is. */
export class SignInEnded extends Error {
  override readonly name = 'SignInEnded';
}

/** With a code, or with the refresh token of before. */
export async function askForTokens(
  endpoint: string,
  config: OidcConfig,
  grant: Readonly<Record<string, string>>,
): Promise<Granted> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: config.clientId, ...grant }),
  });
  const answer = await response.json();
  if (!response.ok) {
    throw new SignInEnded(
      answer.error_description ?? answer.error ?? `It answered ${response.status}.`,
    );
  }
  return readTokens(answer, config.token, grant.refresh_token, Date.now());
}

/** An issuer that sends no new refresh token means the old one. */
export function readTokens(
  answer: Readonly<Record<string, unknown>>,
  wanted: OidcConfig['token'],
  refreshToken: string | undefined,
  now: number,
): Granted {
  const text = (name: string) => {
    const value = answer[name];
    return typeof value === 'string' ? value : undefined;
  };
  const token = text(wanted);
  if (token === undefined) throw new SignInEnded(`The issuer sent no ${wanted}.`);
  return {
    token,
    endsAt: now + Number(answer.expires_in ?? 300) * 1000,
    idToken: text('id_token'),
    refreshToken: text('refresh_token') ?? refreshToken,
  };
}

/**
 * Only the ID token shows that an answer belongs to this attempt: a code that somebody else's sign-in
 * led to has another nonce, and without an ID token nothing would show it.
 */
export function refuseForeign({ idToken }: Pick<Granted, 'idToken'>, nonce: string): void {
  if (idToken === undefined) {
    throw new Error("The issuer sent no ID token. Its client needs the scope 'openid'.");
  }
  if (readNonce(idToken) !== nonce) {
    throw new Error('The issuer answered somebody else. Sign in again.');
  }
}
