import type { UserId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { StaleReadError } from '#lib/table/errors.ts';

/** No user with this id has ever called the service. */
export class UserNotFoundError extends DomainError {
  override readonly name = 'UserNotFoundError';
  constructor(user: UserId) {
    super(`Unknown user '${user}'. GET /admin/users/ lists all users.`);
  }
}

/** Another call assigned a number to the subject first, or the number to another subject. */
export class NumberTakenError extends StaleReadError {
  override readonly name = 'NumberTakenError';
}

/** Somebody else changed the profile first, so the decision must be made again. */
export class ProfileChangedError extends StaleReadError {
  override readonly name = 'ProfileChangedError';
}
