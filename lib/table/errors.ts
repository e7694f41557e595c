import { DomainError } from '#lib/errors/domain-error.ts';

/** Other writes to the same items took longer than one request can wait. */
export class TableBusyError extends DomainError {
  override readonly name = 'TableBusyError';
  constructor(options?: ErrorOptions) {
    super('Too many changes to the same account at once. Try again in a moment.', options);
  }
}

export class TableUnavailableError extends DomainError {
  override readonly name: string = 'TableUnavailableError';
  constructor(
    options?: ErrorOptions,
    message = 'The service cannot reach its database. Try again later.',
  ) {
    super(message, options);
  }
}

/** A partition of the table is full, which waiting does not change. Nothing was written. */
export class PartitionFullError extends DomainError {
  override readonly name = 'PartitionFullError';
  constructor(options?: ErrorOptions) {
    super(
      'The database has no room for more records of this user. Nothing was changed. Tell the operator of the service.',
      options,
    );
  }
}

/** The data changed after it was read. Read and decide again. */
export class StaleReadError extends DomainError {
  override readonly name: string = 'StaleReadError';
}
