import { problems, type User } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { type Live, useLive } from '../../live/use-live.ts';

export interface Person {
  /** Nothing where nobody of that number was seen yet: they can be granted to all the same. */
  readonly seen: User | undefined;
}

export function usePerson({ service }: Session, user: string): Live<Person> {
  return useLive(`person ${user}`, async (signal) => {
    try {
      return { seen: await service.getUser({ user_id: user }, { signal }) };
    } catch (error) {
      if (error instanceof problems['user-not-found']) return { seen: undefined };
      throw error;
    }
  });
}
