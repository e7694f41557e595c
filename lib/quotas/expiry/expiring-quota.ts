import * as v from 'valibot';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';
import { type ExpiryStage, expiryStages } from './expiry-moments.ts';

/** What is stored with a quota for its end alone. */
const ExpiryItem = v.object({
  expiry_warned: v.optional(v.picklist(expiryStages.map(({ name }) => name))),
  due_at: v.optional(v.string()),
});

/** A quota on its way to its end. */
export interface ExpiringQuota {
  readonly quota: Quota;
  /** The last warning that was given. */
  readonly warned: ExpiryStage | undefined;
  /** As it is stored: the condition of whatever is done about it. */
  readonly dueAt: string | undefined;
}

export function expiringFromItem(stored: unknown): ExpiringQuota {
  const { expiry_warned: warned, due_at: dueAt } = parseItem(ExpiryItem, stored);
  return { quota: quotaFromItem(stored), warned, dueAt };
}
