import { DomainError } from '#lib/errors/domain-error.ts';

/** Others wrote the same items for longer than one request can wait. */
export class TableBusyError extends DomainError {
  override readonly name = 'TableBusyError';
  constructor(options?: ErrorOptions) {
    super('Too many changes to the same account at once. Try again in a moment.', options);
  }
}

export class TableUnavailableError extends DomainError {
  override readonly name = 'TableUnavailableError';
  constructor(options?: ErrorOptions) {
    super('The service cannot reach its data. Try again later.', options);
  }
}

/** A partition of the table has as much as it can hold, for good: nothing was written. */
export class PartitionFullError extends DomainError {
  override readonly name = 'PartitionFullError';
  constructor(options?: ErrorOptions) {
    super(
      'There is no room for more records of this user. Nothing was changed. Tell the operator of the service.',
      options,
    );
  }
}

/** What was read has changed since: whoever decided something by it reads and decides again. */
export abstract class StaleReadError extends DomainError {}
