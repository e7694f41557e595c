import { StaleReadError } from '#lib/table/errors.ts';

/** The account is not what a change of it was planned by. */
export class AccountChangedError extends StaleReadError {
  override readonly name = 'AccountChangedError';
}
