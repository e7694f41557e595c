import type { OidcConfig } from '#console/serving/console-config.ts';
import { keepAttempt } from './attempt.ts';
import { createChance, createProofKey } from './proof-key.ts';
import { discoverProvider } from './provider.ts';

/**
 * Leaves for the issuer, which leads back here. `silent` comes back at once, signed in or not: it is
 * how a reload goes on, because tokens are nowhere but in memory.
 */
export async function beginSignIn(config: OidcConfig, silent: boolean): Promise<void> {
  const { authorization } = await discoverProvider(config.issuer);
  const { verifier, challenge } = await createProofKey();
  const state = createChance();
  const nonce = createChance();
  keepAttempt(state, { verifier, nonce, returnTo: `${location.pathname}${location.search}` });
  location.assign(
    writeAddress(authorization, config, {
      state,
      nonce,
      challenge,
      silent,
      origin: location.origin,
    }),
  );
}

interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly silent: boolean;
  readonly origin: string;
}

export function writeAddress(
  authorization: string,
  { clientId, scope, audience }: OidcConfig,
  { state, nonce, challenge, silent, origin }: Asked,
): string {
  const address = new URL(authorization);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: returnAddress(origin),
    scope,
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(audience !== undefined && { audience }),
    ...(silent && { prompt: 'none' }),
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return address.href;
}

/** The one address that the issuer must know. */
export function returnAddress(origin: string): string {
  return `${origin}/console/`;
}
