import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Job } from '#lib/jobs/job.ts';
import { jobFromItem, jobToItem } from '#lib/jobs/job-item.ts';
import { createJob } from '#lib/jobs/job-store.ts';
import { beginJobLife } from '#lib/jobs/life/job-life-store.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { createQuota } from '#lib/quotas/welcome/create-quota.ts';
import { openAnotherQuota } from '#lib/quotas/welcome/open-another-quota.ts';
import { welcomeUser } from '#lib/quotas/welcome/welcome-user.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { readProfile } from '#lib/users/profile-store.ts';
import type { Transferred } from './records.ts';

/** What became of a line: the same line brought in twice is `present` the second time. */
export type Outcome = 'created' | 'present' | 'different';

export interface ImportOptions {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly dryRun: boolean;
}

export async function importRecord(options: ImportOptions, record: Transferred): Promise<Outcome> {
  return 'job' in record ? importJob(options, record.job) : importQuota(options, record.quota);
}

async function importJob({ table, dryRun }: ImportOptions, job: Job): Promise<Outcome> {
  const { PK, SK } = jobToItem(job);
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  if (Item) return isSame(describeJob(jobFromItem(Item)), describeJob(job));
  if (dryRun) return 'created';
  await writeTransaction(table, [createJob(job), beginJobLife(job)]);
  return 'created';
}

/**
 * The user is welcomed after the quota, which the welcome then leaves as it is; of somebody who is
 * known already the quota carries the bans.
 */
async function importQuota(options: ImportOptions, quota: Quota): Promise<Outcome> {
  const { table, catalog, dryRun } = options;
  const { user, project, time, space } = quota;
  const place = { user, hpc: project.hpc, project: project.name };
  const stored = await readQuota(table, place);
  if (stored) return isSame(describeQuota(stored), describeQuota(quota));
  if (dryRun) return 'created';
  const profile = await readProfile(table, user);
  await writeTransaction(table, [
    ...(profile ? openAnotherQuota(profile, quota) : [createQuota(quota)]),
    writeLedgerLine({
      ...place,
      kind: 'grant',
      seconds: time.left,
      kilobytes: space.left,
      at: new Date(),
      by: 'slipway',
      reason: `imported with ${time.used} seconds and ${space.used} kilobytes used before`,
    }),
  ]);
  await welcomeUser(table, catalog, user);
  return 'created';
}

/** A job that ended here held something, one that was brought in did not: that is no difference. */
function describeJob({ hold: _, project, ...job }: Job) {
  return { ...job, project: project.number };
}

function describeQuota({ project, ...quota }: Quota) {
  return { ...quota, project: project.number };
}

function isSame(stored: object, wanted: object): Outcome {
  return canonical(stored) === canonical(wanted) ? 'present' : 'different';
}

function canonical(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
