import { signal } from '@preact/signals';
import type { ConsoleConfig, OidcConfig } from '#console/serving/console-config.ts';
import { readConfig } from '../connection/read-config.ts';
import { onSignedOutElsewhere, session } from '../connection/session.ts';
import { signedInBefore } from './attempt.ts';
import { laptopKey } from './laptop-key.ts';
import { beginSignIn } from './oidc.ts';
import { finishSignIn } from './oidc-session.ts';
import { forgetUser, recallUser, signInOnLaptop } from './sign-in-on-laptop.ts';

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
