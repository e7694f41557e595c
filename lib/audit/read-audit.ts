import type { UserId } from '#lib/catalog/identifiers.ts';
import {
  auditKey,
  auditPartition,
  auditPartitionOf,
  auditPlace,
  endOfPreviousMonth,
} from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { queryPage } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { earlierOf, laterOf } from '#lib/time/order.ts';
import type { Act, ActKind } from './act.ts';
import { actFromItem } from './audit-store.ts';

/** The acts of a period, both moments included. */
export interface AuditList {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly filter: AuditFilter;
}

interface AuditFilter {
  readonly by?: string | undefined;
  /** The user to whom it was done. */
  readonly user?: UserId | undefined;
  readonly kind?: ActKind | undefined;
}

/** No act is older, so walking back through the months ends here. */
const auditBeginning = new Date('2026-01-01T00:00:00Z');

/** The most reads of one request. Most of them find months without acts. */
export const maxReads = 24;

/**
 * How many acts one read of a filtered list examines. Filtering comes after reading, so it costs.
 */
const filteredReadSize = 500;

/** The clocks of two functions may be on both sides of a month's end. */
const leewayMs = 60_000;

/**
 * Reads acts, newest first, month by month. If reads run out, a page may be empty and still
 * continue.
 */
export async function readAudit(
  table: Table,
  list: AuditList,
  limit: number,
  before?: string,
  now = new Date(),
): Promise<Page<Act, string>> {
  const latest = new Date(now.getTime() + leewayMs);
  const oldest = laterOf(auditBeginning, list.since ?? auditBeginning);
  const newest = earlierOf(latest, list.until ?? latest);
  const entries: Act[] = [];
  let place = before ?? auditPlace(newest);
  for (let reads = 0; reads < maxReads && isWithin(place, oldest); reads += 1) {
    const run = await readRun(table, list.filter, place, limit + 1 - entries.length);
    for (const act of run.acts) {
      if (act.at < oldest) return { entries, next: undefined };
      if (entries.length === limit) return { entries, next: place };
      entries.push(act);
      place = auditKey(act.at, act.id).SK;
    }
    place = run.resumeBefore;
  }
  return { entries, next: isWithin(place, oldest) ? place : undefined };
}

function isWithin(place: string, oldest: Date): boolean {
  return auditPartitionOf(place) >= auditPartition(oldest);
}

/** Makes one read within one month. */
async function readRun(
  table: Table,
  filter: AuditFilter,
  place: string,
  wanted: number,
): Promise<{ readonly acts: readonly Act[]; readonly resumeBefore: string }> {
  const tests = Object.entries(filter).filter(([, value]) => value !== undefined);
  const { Items, LastEvaluatedKey } = await queryPage(table, {
    KeyConditionExpression: 'PK = :month AND SK < :place',
    ExpressionAttributeValues: {
      ':month': auditPartitionOf(place),
      ':place': place,
      ...Object.fromEntries(tests.map(([name, value]) => [`:${name}`, value])),
    },
    ...(tests.length > 0 && {
      FilterExpression: tests.map(([name]) => `#${name} = :${name}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(tests.map(([name]) => [`#${name}`, name])),
    }),
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: tests.length > 0 ? filteredReadSize : wanted,
  });
  const last: unknown = LastEvaluatedKey?.SK;
  return {
    acts: Items.map(actFromItem),
    resumeBefore: typeof last === 'string' ? last : endOfPreviousMonth(place),
  };
}
