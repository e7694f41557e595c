import * as v from 'valibot';
import {
  attribute,
  group,
  moment,
  number,
  optional,
  readFields,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { expiryStages } from '../calendar.ts';
import type { Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';

/** The attributes of a quota's item that only sweeps use. */
const dueFields = group({
  warned: optional(attribute('expiry_warned', v.picklist(expiryStages.map(({ name }) => name)))),
  /** The last renewal that was announced, and the last one that was carried out. */
  announced: optional(moment('renewal_announced')),
  renewedAt: optional(moment('renewed_at')),
  /** The seconds used before the last renewal. */
  usedBefore: sparse(number('time_used_before'), 0),
  /** The stored text, because updates are conditional on it. */
  dueAt: optional(text('due_at')),
});

/**
 * A quota that ends or renews. This file stays free of the SDK, because the bundle that detects
 * events has no table.
 */
export interface DueQuota extends ReturnType<typeof dueFields.read> {
  readonly quota: Quota;
}

export function dueQuotaFromItem(stored: unknown): DueQuota {
  return { quota: quotaFromItem(stored), ...readFields(dueFields, stored) };
}
