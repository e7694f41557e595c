import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../language/rich.ts';

export const signIn = {
  signingIn: 'Signing in…',
  yourJobsAndQuotas: 'Your jobs and quotas on the HPC systems.',
  signIn: 'Sign in',

  chooseWho: 'This is the laptop edition. Choose who to sign in as.',
  researcher: 'Researcher {user}',
  administrator: 'Administrator {user}',
  anotherUser: 'Another user',
  needsKey:
    'This is the laptop edition, and only people with its key can sign in. Open the address that {command} printed, or paste it here.',
  addressOrKey: 'Address or key',
  keyIsInFile: 'The key is also in the file {file}, where the service was started.',
  notAKey: 'This is not a key. It has 43 letters and digits, and follows #key= there.',
  continue: 'Continue',
  anotherKey: 'The service has another key than the one you used.',
  noToken: 'No token was sent. Try again.',

  notSignedIn: 'You are not signed in. {reason} Reload the page to try again.',
  issuerSentNo: 'The issuer sent no {token}.',
  issuerNotEncrypted: 'The issuer has no encrypted address to sign in at. Tell your administrator.',
} as const;

export const phrase = createPhrase('signIn', signIn);
export const rich = createRich('signIn', signIn);
