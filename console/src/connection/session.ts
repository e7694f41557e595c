import { signal } from '@preact/signals';
import type { Slipway } from '#client/src/index.ts';

/** The user who is signed in, and their client for the service. */
export interface Session {
  /** The user's name in the token. */
  readonly user: string;
  /** Whether to show the administrators' pages. The service decides what they may do. */
  readonly administrator: boolean;
  readonly service: Slipway;
  signOut(): void;
}

export const session = signal<Session | undefined>(undefined);
