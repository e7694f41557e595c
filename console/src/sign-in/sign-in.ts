import { signal } from '@preact/signals';
import type { ConsoleConfig, OidcConfig } from '#console/serving/console-config.ts';
import { readConfig } from '../connection/read-config.ts';
import { signedInBefore } from './attempt.ts';
import { beginSignIn } from './oidc.ts';
import { finishSignIn } from './oidc-session.ts';
import { recallUser, signInOnLaptop } from './sign-in-on-laptop.ts';

/** Where signing in stands, while nobody is signed in. */
export type Standing =
  | { readonly at: 'looking' }
  | { readonly at: 'asking'; readonly config: ConsoleConfig }
  | { readonly at: 'failed'; readonly message: string };

export const standing = signal<Standing>({ at: 'looking' });

/** Goes on as whoever was there before, and asks where there was nobody. */
export async function signInAgain(): Promise<void> {
  try {
    const config = await readConfig();
    if (config.signIn === 'laptop') await goOnOnLaptop(config.api);
    else if (!(await goOn(config))) return;
    // Also where somebody is signed in: it is what they see once they sign out.
    standing.value = { at: 'asking', config };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    standing.value = { at: 'failed', message };
  }
}

async function goOnOnLaptop(api: string): Promise<void> {
  const user = recallUser();
  if (user) await signInOnLaptop(api, user);
}

/** Not, where the page is left for a moment. */
async function goOn(config: OidcConfig): Promise<boolean> {
  const outcome = await finishSignIn(config);
  const leaves = outcome === 'none' && signedInBefore.read();
  if (leaves) await beginSignIn(config, true);
  return !leaves;
}
