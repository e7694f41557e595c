import type { OidcConfig } from '#console/serving/console-config.ts';
import { keepAttempt } from './attempt.ts';
import { createChance, createProofKey } from './proof-key.ts';
import { discoverProvider } from './provider.ts';
import { writeAddress } from './write-address.ts';

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
