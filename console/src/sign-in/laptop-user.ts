import { forgetStored, isRecord, readStored, store } from '../storage/stored.ts';

/** Whom somebody chose to be on a laptop. */
export interface LaptopUser {
  readonly user: string;
  readonly administrator: boolean;
}

const key = 'slipway-laptop-user';

/** Only who it is, never a token: a reload asks for a new one. A new tab begins as the last choice. */
export function recallUser(): LaptopUser | undefined {
  const stored = readStored('tab', key) ?? readStored('browser', key);
  if (!isRecord(stored) || typeof stored.user !== 'string') return undefined;
  return { user: stored.user, administrator: stored.administrator === true };
}

export function rememberUser(chosen: LaptopUser): void {
  store('tab', key, chosen);
  store('browser', key, chosen);
}

export function forgetUser(): void {
  forgetStored('tab', key);
  forgetStored('browser', key);
}
