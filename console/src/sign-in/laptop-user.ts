/** Whom somebody chose to be on a laptop. */
export interface LaptopUser {
  readonly user: string;
  readonly administrator: boolean;
}

const key = 'slipway-laptop-user';

/** Only who it is, never a token: a reload asks for a new one. A new tab begins as the last choice. */
export function recallUser(): LaptopUser | undefined {
  const text = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  const stored: unknown = text === null ? undefined : JSON.parse(text);
  if (typeof stored !== 'object' || stored === null || !('user' in stored)) return undefined;
  return {
    user: String(stored.user),
    administrator: 'administrator' in stored && stored.administrator === true,
  };
}

export function rememberUser(chosen: LaptopUser): void {
  sessionStorage.setItem(key, JSON.stringify(chosen));
  localStorage.setItem(key, JSON.stringify(chosen));
}

export function forgetUser(): void {
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
}
