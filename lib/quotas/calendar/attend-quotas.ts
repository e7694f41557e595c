import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { listQuotaShards, type PrimaryKey } from '#lib/table/keys.ts';
import { walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { carryOutPlan } from './carry-out-plan.ts';
import { type DueQuota, dueQuotaFromItem } from './due-quota.ts';
import { planQuota } from './plan-quota.ts';

/** No page is begun after this, so that the sweep has ended before its function is ended. */
const sweepMs = 30_000;

const pageSize = 100;

/** How many quotas are looked at at a time. */
const width = 20;

/**
 * Warns of the end of quotas and takes back what is left at the end; announces renewals and makes
 * them. A sweep that dies, or has no time for all, leaves the rest due for the next one; one quota
 * that fails keeps none from its turn.
 */
export async function attendQuotas(table: Table, clock = () => new Date()): Promise<void> {
  const now = clock();
  const failures: unknown[] = [];
  const attend = (key: PrimaryKey) =>
    attendQuota(table, key, now).catch((error: unknown) => failures.push(error));
  for await (const page of walkDue(table, listQuotaShards(), now, pageSize)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    await mapInParallel(page, width, attend);
  }
  reportFailures(failures, 'Some quotas could not be attended to');
}

async function attendQuota(table: Table, key: PrimaryKey, now: Date): Promise<void> {
  const due = await readDueQuota(table, key, now);
  if (due) await carryOutPlan(table, due, planQuota(due, now), now);
}

/** As it is now: the index lags behind. Nothing where it is not due any more. */
async function readDueQuota(
  table: Table,
  { PK, SK }: PrimaryKey,
  now: Date,
): Promise<DueQuota | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  const due = Item && dueQuotaFromItem(Item);
  return due?.dueAt !== undefined && due.dueAt <= now.toISOString() ? due : undefined;
}
