import type { UserId } from '#lib/catalog/identifiers.ts';

/** Nobody with this identifier has been here. */
export class UserNotFoundError extends Error {
  override name = 'UserNotFoundError';
  constructor(user: UserId) {
    super(`No user '${user}' has been seen. GET /admin/users/ lists those who have.`);
  }
}
