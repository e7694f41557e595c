import { signal } from '@preact/signals';
import type { Slipway } from '#client/src/index.ts';

/** Who is signed in, and the service as they see it. */
export interface Session {
  /** As the token names the user. */
  readonly user: string;
  /** Whether the pages of administrators are shown; the service decides what they may do. */
  readonly administrator: boolean;
  readonly service: Slipway;
  signOut(): void;
}

export const session = signal<Session | undefined>(undefined);
