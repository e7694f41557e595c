import type { UserId } from '#lib/catalog/identifiers.ts';
import { refusalSaying } from '#lib/errors/domain-error.ts';

/** No user with this id has ever called the service. */
export class UserNotFoundError extends /* @__PURE__ */ refusalSaying(
  'user-not-found',
  (user: UserId) => `Unknown user '${user}'. GET /admin/users/ lists all users.`,
) {}
