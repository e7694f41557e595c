import { isDeepStrictEqual } from 'node:util';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Batch, endedBatchToItem, orderToItem, rangeOf } from '#lib/batches/batch.ts';
import { findOrder, readBatch } from '#lib/batches/batch-store.ts';
import { readLeaders, setLeaders } from '#lib/budgets/leaders.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { type Job, jobFromItem, jobToItem } from '#lib/jobs/job.ts';
import { createJob, putOnce } from '#lib/jobs/job-store.ts';
import { beginJobLife } from '#lib/jobs/life/job-life-store.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { type OpenedProject, projectKeyOf } from '#lib/projects/opened-project.ts';
import { readOpenedProject, saveProject } from '#lib/projects/opened-project-store.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { createQuota, openAnotherQuota } from '#lib/quotas/welcome.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { readProfile } from '#lib/users/profile-store.ts';
import { describeBatch, type TransferredBatch } from './batch-record.ts';
import type { GivenNumbers } from './given-numbers.ts';
import {
  describeJob,
  describeProject,
  describeQuota,
  type Transferred,
  type TransferredBudget,
} from './records.ts';

/** The outcome of a line. A line that is imported again is `present`. */
export type Outcome =
  | { readonly state: 'created' | 'present' }
  /** The line is skipped; `problem` says why. */
  | { readonly state: 'different' | 'wrong'; readonly problem: string };

export interface ImportOptions {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly dryRun: boolean;
}

export async function importRecord(
  options: ImportOptions,
  numbers: GivenNumbers,
  record: Transferred,
): Promise<Outcome> {
  if ('job' in record) return importJob(options, numbers, record.job);
  if ('quota' in record) {
    // Several lines of one user may change the same profile at once, so a conflict is retried.
    return decideUntilWritten(() => importQuota(options, numbers, record.quota));
  }
  if ('budget' in record) return importBudget(options, numbers, record.budget);
  if ('batch' in record) return importBatch(options, record.batch);
  return importProject(options, record.project);
}

/** Imports a batch and what its jobs were asked to run. Its jobs have lines of their own. */
async function importBatch(
  { table, dryRun }: ImportOptions,
  transferred: TransferredBatch,
): Promise<Outcome> {
  const { batch, order } = transferred;
  const stored = await readBatch(table, batch.owner, batch.id);
  if (stored) {
    const there = { batch: stored, order: await findOrder(table, stored) };
    return compare(describeBatch(transferred), describeBatch(there));
  }
  const other = await findStranger(table, batch);
  if (other) return refuseNumber(other.id, `the job ${other.jobId} of user ${other.owner}`);
  if (!dryRun) {
    const items = [endedBatchToItem(batch), orderToItem(batch, order)];
    await writeTransaction(table, items.map(putOnce));
  }
  return { state: 'created' };
}

async function importProject(
  { table, dryRun }: ImportOptions,
  project: OpenedProject,
): Promise<Outcome> {
  const stored = await readOpenedProject(table, projectKeyOf(project));
  if (stored) return compare(describeProject(project), describeProject(stored));
  if (!dryRun) await writeTransaction(table, [saveProject(undefined, project)]);
  return { state: 'created' };
}

async function importJob(
  { table, dryRun }: ImportOptions,
  numbers: GivenNumbers,
  job: Job,
): Promise<Outcome> {
  const { PK, SK } = jobToItem(job);
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  if (Item) return compare(describeJob(job), describeJob(jobFromItem(Item)));
  const other = await numbers.findJob(job.id);
  if (other !== undefined) return refuseNumber(job.id, other);
  if (!dryRun) await writeTransaction(table, [createJob(job), beginJobLife(job)]);
  return { state: 'created' };
}

/**
 * Finds a job of the owner that has a number of the batch and is not part of it. A batch finds its
 * jobs by their numbers.
 */
async function findStranger(table: Table, batch: Batch): Promise<Job | undefined> {
  const list = { owner: batch.owner, order: 'asc', filter: {}, ids: rangeOf(batch) } as const;
  let after: number | undefined;
  do {
    const { jobs, resumeAfter } = await readJobs(table, list, after);
    const stranger = jobs.find((job) => job.batch?.id !== batch.id);
    if (stranger) return stranger;
    after = resumeAfter;
  } while (after !== undefined);
  return undefined;
}

/** Imports a quota with the bans from the user's profile. Default quotas are left to the caller. */
async function importQuota(
  { table, dryRun }: ImportOptions,
  numbers: GivenNumbers,
  quota: Quota,
): Promise<Outcome> {
  const { user, time, space } = quota;
  const place = accountOf(quota);
  const stored = await readQuota(table, place);
  if (stored) return compare(describeLasting(quota), describeQuota(stored));
  const other = await numbers.findQuota(quota.id);
  if (other !== undefined) return refuseNumber(quota.id, other);
  if (dryRun) return { state: 'created' };
  const profile = await readProfile(table, user);
  await writeTransaction(table, [
    ...(profile ? openAnotherQuota(profile, quota).steps : [createQuota(quota)]),
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
  return { state: 'created' };
}

/** Imports a budget, then who leads the project. */
async function importBudget(
  options: ImportOptions,
  numbers: GivenNumbers,
  { quota, leaders }: TransferredBudget,
): Promise<Outcome> {
  const { table, dryRun } = options;
  const outcome = await importQuota(options, numbers, quota);
  const { hpc, name } = quota.project;
  const project = { hpc, project: name };
  if (outcome.state === 'present') {
    return compare({ leaders }, { leaders: await readLeaders(table, project) });
  }
  if (outcome.state !== 'created' || dryRun) return outcome;
  await setLeaders(table, { project, leaders, by: 'slipway', reason: 'imported' });
  return outcome;
}

function refuseNumber(id: number, other: string): Outcome {
  return { state: 'wrong', problem: `id ${id} is that of ${other}; give it another one` };
}

function show(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Described = Readonly<Record<string, unknown>>;

/**
 * Leaves out the date of the next renewal, which changes with every renewal, and what jobs hold,
 * which is not imported.
 */
function describeLasting(quota: Quota): Described {
  const { renews_next: _, time_held: _time, space_held: _space, ...lasting } = describeQuota(quota);
  return lasting;
}

/** Compares only the fields of a line. A job's hold or a ban is not in it, so these may differ. */
function compare(wanted: Described, there: Described): Outcome {
  const differences = Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(value, there[name]))
    .map(([name, value]) => `${name} (${show(value)}, there: ${show(there[name])})`);
  if (differences.length === 0) return { state: 'present' };
  const problem = `it differs from what is there in ${differences.join(', ')}`;
  return { state: 'different', problem };
}
