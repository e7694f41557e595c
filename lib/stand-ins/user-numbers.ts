import { LeftOutError } from './left-out.ts';

/** For #lib/users/assigned/open-user-numbers.ts, where all subjects are numbers. */
export function openUserNumbers(): never {
  throw new LeftOutError('The numbers of users (-c userIds=assigned)');
}
