/** Nobody with this identifier has been here. */
export class UserNotFoundError extends Error {
  override name = 'UserNotFoundError';
  constructor(user: string) {
    super(`No user '${user}' has been seen. GET /admin/users/ lists those who have.`);
  }
}
