import * as v from 'valibot';
import { parseItem } from '#lib/table/parse-item.ts';
import { type ExpiryStage, expiryStages } from '../calendar.ts';
import type { Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';

/**
 * A quota that ends or renews. This file stays free of the SDK, because the bundle that detects
 * events has no table.
 */
export interface DueQuota {
  readonly quota: Quota;
  readonly warned: ExpiryStage | undefined;
  /** The last renewal that was announced, and the last one that was carried out. */
  readonly announced: Date | undefined;
  readonly renewedAt: Date | undefined;
  /** The seconds used before the last renewal. */
  readonly usedBefore: number;
  /** The stored text, because updates are conditional on it. */
  readonly dueAt: string | undefined;
}

/** The attributes of a quota's item that only sweeps use. */
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
