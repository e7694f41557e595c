import type { UserId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';

/** No user with this id has ever called the service. */
export class UserNotFoundError extends DomainError {
  override readonly name = 'UserNotFoundError';
  constructor(user: UserId) {
    super(`Unknown user '${user}'. GET /admin/users/ lists all users.`);
  }
}
