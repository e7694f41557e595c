import { DomainError, refusal, refusalSaying } from '#lib/errors/domain-error.ts';

/** Other writes to the same items took longer than one request can wait. */
export class TableBusyError extends /* @__PURE__ */ refusal(
  'busy',
  'Too many changes to the same account at once. Try again in a moment.',
) {
  override readonly name = 'TableBusyError';
}

export class TableUnavailableError extends /* @__PURE__ */ refusalSaying(
  'unavailable',
  (
    options?: ErrorOptions,
    message: string = 'The service cannot reach its database. Try again later.',
  ) => ({ message, ...options }),
) {
  override readonly name: string = 'TableUnavailableError';
}

/** A partition of the table is full, which waiting does not change. Nothing was written. */
export class PartitionFullError extends /* @__PURE__ */ refusal(
  'records-full',
  'The database has no room for more records of this user. Nothing was changed. Tell the operator of the service.',
) {
  override readonly name = 'PartitionFullError';
}

/** The data changed after it was read. Read and decide again. */
export class StaleReadError extends DomainError {
  override readonly name: string = 'StaleReadError';
}
