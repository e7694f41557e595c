import * as v from 'valibot';
import { parseItem } from '#lib/table/parse-item.ts';
import { type ExpiryStage, expiryStages } from './calendar.ts';
import type { Quota } from './quota.ts';
import { quotaFromItem } from './quota-item.ts';

/** A quota that ends or renews. Without the SDK: events read it too, in a bundle without a table. */
export interface DueQuota {
  readonly quota: Quota;
  /** The last warning of its end that was given. */
  readonly warned: ExpiryStage | undefined;
  /** The renewal that was announced last, and the one that was made last. */
  readonly announced: Date | undefined;
  readonly renewedAt: Date | undefined;
  /** The seconds that had been used when it was renewed last: they are of earlier periods. */
  readonly usedBefore: number;
  /** As it is stored: the condition of whatever is done about it. */
  readonly dueAt: string | undefined;
}

/** What is stored with a quota for the clock alone. */
const DueItem = v.object({
  expiry_warned: v.optional(v.picklist(expiryStages.map(({ name }) => name))),
  renewal_announced: v.optional(v.string()),
  renewed_at: v.optional(v.string()),
  time_used_before: v.optional(v.number(), 0),
  due_at: v.optional(v.string()),
});

export function dueQuotaFromItem(stored: unknown): DueQuota {
  const item = parseItem(DueItem, stored);
  return {
    quota: quotaFromItem(stored),
    warned: item.expiry_warned,
    announced: momentOf(item.renewal_announced),
    renewedAt: momentOf(item.renewed_at),
    usedBefore: item.time_used_before,
    dueAt: item.due_at,
  };
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
