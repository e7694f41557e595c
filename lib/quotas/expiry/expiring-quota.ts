import * as v from 'valibot';
import { expiryDueKeys } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';
import { type ExpiryStage, expiryStages, nextExpiryMoment } from './expiry-moments.ts';

/** A quota on its way to its end. Without the SDK: events read it too, in a bundle without a table. */
export interface ExpiringQuota {
  readonly quota: Quota;
  /** The last warning that was given. */
  readonly warned: ExpiryStage | undefined;
  /** As it is stored: the condition of whatever is done about it. */
  readonly dueAt: string | undefined;
}

/** What is stored with a quota for its end alone. */
const ExpiryItem = v.object({
  expiry_warned: v.optional(v.picklist(expiryStages.map(({ name }) => name))),
  due_at: v.optional(v.string()),
});

export function expiringFromItem(stored: unknown): ExpiringQuota {
  const { expiry_warned: warned, due_at: dueAt } = parseItem(ExpiryItem, stored);
  return { quota: quotaFromItem(stored), warned, dueAt };
}

/** Where the clock finds a quota that ends, for its next warning or for its end. */
export function expiryKeys(quotaId: number, validUntil: Date, at: Date) {
  return expiryDueKeys(quotaId, nextExpiryMoment(validUntil, at).toISOString());
}
