import type { PrimaryKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { findDueQuotas, readDueQuota } from './due-quotas.ts';
import { carryOutExpiry } from './expire-quota.ts';
import { planExpiry } from './plan-expiry.ts';

/** No page is begun after this, so that the sweep has ended before its function is ended. */
const sweepMs = 30_000;

/** How many quotas are looked at at a time. */
const width = 20;

/**
 * Warns of the end of quotas, and takes back what is left at the end. A sweep that dies, or has no
 * time for all, leaves the rest due for the next one.
 */
export async function expireQuotas(table: Table, clock = () => new Date()): Promise<void> {
  const now = clock();
  const failures: unknown[] = [];
  for await (const page of findDueQuotas(table, now)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    for (let start = 0; start < page.length; start += width) {
      const some = page.slice(start, start + width);
      const results = await Promise.allSettled(some.map((key) => attendQuota(table, key, now)));
      failures.push(
        ...results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
      );
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some quotas could not be expired.');
}

async function attendQuota(table: Table, key: PrimaryKey, now: Date): Promise<void> {
  const due = await readDueQuota(table, key, now);
  if (due) await carryOutExpiry(table, due, planExpiry(due, now), now);
}
