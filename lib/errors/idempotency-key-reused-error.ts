import { DomainError } from './domain-error.ts';

export class IdempotencyKeyReusedError extends DomainError {
  override readonly name = 'IdempotencyKeyReusedError';
  constructor() {
    super(
      'This Idempotency-Key was used for a different request. Send a new key with a new request.',
    );
  }
}
