import { signal } from '@preact/signals';
import type { Service } from './open-service.ts';

/** Who is signed in, and the service as they see it. */
export interface Session {
  /** As the token names the user. */
  readonly user: string;
  /** Whether the pages of administrators are shown; the service decides what they may do. */
  readonly administrator: boolean;
  readonly service: Service;
  signOut(): void;
}

export const session = signal<Session | undefined>(undefined);
