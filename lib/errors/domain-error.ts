/**
 * An error that a caller can act on, unlike a bug. lib/http/problems.ts maps each one that reaches a
 * client. Classes name themselves, because minified bundles lose the names of classes.
 */
export abstract class DomainError extends Error {
  abstract override readonly name: string;
}

/**
 * True for errors that only wrong code can cause. Parsers of hostile data blame all other errors on
 * the data. Errors of Node itself have a code, and some of them are about bad data.
 */
export function isMistake(error: unknown): boolean {
  if (error instanceof ReferenceError) return true;
  return error instanceof TypeError && !('code' in error);
}

export class IdempotencyKeyReusedError extends DomainError {
  override readonly name = 'IdempotencyKeyReusedError';
  constructor() {
    super('This Idempotency-Key was used for a different request. Use a new key for each request.');
  }
}
