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

/** What was read has changed since: whoever decided something by it reads and decides again. */
export abstract class StaleReadError extends DomainError {}
