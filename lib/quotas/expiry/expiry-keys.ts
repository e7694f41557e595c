import { expiryDueKeys } from '#lib/table/keys.ts';
import { nextExpiryMoment } from './expiry-moments.ts';

/** Where the clock finds a quota that ends, for its next warning or for its end. */
export function expiryKeys(quotaId: number, validUntil: Date, at: Date) {
  return expiryDueKeys(quotaId, nextExpiryMoment(validUntil, at).toISOString());
}
