import { signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Slipway } from '#client/src/index.ts';

/** The user who is signed in, and their client for the service. */
export interface Session {
  /** The user's name in the token. */
  readonly user: string;
  /** Whether to show the administrators' pages. The service decides what they may do. */
  readonly administrator: boolean;
  readonly service: Slipway;
  /** The address of the service, for commands that the user copies. */
  readonly api: string;
  signOut(): void;
  /** Gets a new token for a refused one, and returns to this page. */
  signInAgain(): void;
}

export const session = signal<Session | undefined>(undefined);

const name = 'slipway-signed-out';

/** Tells the other tabs of this browser that the user has signed out. */
export function tellSignedOut(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage('signed-out');
  channel.close();
}

/** Calls back when the user signs out in another tab. */
export function onSignedOutElsewhere(leave: () => void): void {
  new BroadcastChannel(name).onmessage = leave;
}

/** Hands the session to all pages, which are shown only to users who are signed in. */
export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const found = useContext(SessionContext);
  if (!found) throw new Error('Nobody is signed in.');
  return found;
}

export function useService(): Slipway {
  return useSession().service;
}
