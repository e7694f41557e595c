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

/** Returns the attempt once, because an answer that comes twice is not ours. */
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

/** Notes that this tab is signed in, to sign in again after a reload. */
export const signedInBefore = {
  read: () => readStored('tab', signedIn) !== undefined,
  note: () => store('tab', signedIn, 'yes'),
  forget: () => forgetStored('tab', signedIn),
};
