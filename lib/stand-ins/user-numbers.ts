import { LeftOutError } from './left-out.ts';

/** Replaces #lib/users/user-numbers.ts where every subject is a number. */
export function openUserNumbers(): never {
  throw new LeftOutError('The numbers of users (-c userIds=assigned)');
}
