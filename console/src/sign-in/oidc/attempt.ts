/** What must survive the way to the issuer and back. None of it is a token. */
export interface Attempt {
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
}

const prefix = 'slipway-sign-in-';
const signedIn = 'slipway-signed-in';

export function keepAttempt(state: string, attempt: Attempt): void {
  sessionStorage.setItem(`${prefix}${state}`, JSON.stringify(attempt));
}

/** Once: an answer that comes twice is not ours. */
export function takeAttempt(state: string): Attempt | undefined {
  const text = sessionStorage.getItem(`${prefix}${state}`);
  sessionStorage.removeItem(`${prefix}${state}`);
  return text === null ? undefined : JSON.parse(text);
}

/** Whether this tab was signed in before it was loaded anew. */
export const signedInBefore = {
  read: () => sessionStorage.getItem(signedIn) !== null,
  note: () => sessionStorage.setItem(signedIn, 'yes'),
  forget: () => sessionStorage.removeItem(signedIn),
};
