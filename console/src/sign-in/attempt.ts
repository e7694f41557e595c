import { forgetStored, isRecord, readStored, store } from '../browser/stored.ts';

/** A sign-in on its way to the issuer and back. It holds no token. */
export interface Attempt {
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
}

const prefix = 'slipway-sign-in-';
const signedIn = 'slipway-signed-in';

export function keepAttempt(state: string, attempt: Attempt): void {
  store('tab', `${prefix}${state}`, attempt);
}

/** Returns each attempt only once, so that a replayed answer is not accepted. */
export function takeAttempt(state: string): Attempt | undefined {
  const stored = readStored('tab', `${prefix}${state}`);
  forgetStored('tab', `${prefix}${state}`);
  if (!isRecord(stored)) return undefined;
  const { verifier, nonce, returnTo } = stored;
  const isWhole = [verifier, nonce, returnTo].every((part) => typeof part === 'string');
  return isWhole
    ? { verifier: `${verifier}`, nonce: `${nonce}`, returnTo: `${returnTo}` }
    : undefined;
}

/** Remembers that this tab was signed in, so that a reload signs in again silently. */
export const signedInBefore = {
  read: () => readStored('tab', signedIn) !== undefined,
  note: () => store('tab', signedIn, 'yes'),
  forget: () => forgetStored('tab', signedIn),
};
