import type { BatchId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { JobHolds } from '#lib/quotas/reconcile.ts';
import {
  type AccountKey,
  batchKey,
  batchOrderKey,
  batchPrefix,
  type ProjectKey,
  userPartition,
} from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { queryAll, queryPage, queryPages, readItem, selectPrefix } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import {
  type Batch,
  type BatchOrder,
  batchFromItem,
  countPending,
  orderFromItem,
} from './batch.ts';
import { BatchNotFoundError } from './errors.ts';

export function readBatch(table: Table, owner: UserId, id: BatchId): Promise<Batch | undefined> {
  return readItem(table, batchKey(owner, id), batchFromItem);
}

/** Finds a batch, in the project if one is named. */
export async function findBatch(
  table: Table,
  owner: UserId,
  id: BatchId,
  within?: ProjectKey,
): Promise<Batch> {
  const batch = await readBatch(table, owner, id);
  if (!batch || (within && !isIn(batch, within))) throw new BatchNotFoundError();
  return batch;
}

function isIn({ project }: Batch, { hpc, project: name }: ProjectKey): boolean {
  return project.hpc === hpc && project.name === name;
}

export async function findOrder(table: Table, { owner, id }: Batch): Promise<BatchOrder> {
  const order = await readItem(table, batchOrderKey(owner, id), orderFromItem);
  if (!order) throw new BatchNotFoundError();
  return order;
}

/** Selects the batches of a user: all, those on a system, or those in a project. */
export interface BatchList {
  readonly owner: UserId;
  readonly hpc?: SystemName | undefined;
  readonly project?: ProjectName | undefined;
}

/** Lists the batches of a user, newest first, strongly consistent. */
export async function listBatches(
  table: Table,
  { owner, hpc, project }: BatchList,
  limit: number,
  after?: BatchId,
): Promise<Page<Batch, BatchId>> {
  const entries: Batch[] = [];
  let from = after;
  for (;;) {
    const { Items, LastEvaluatedKey } = await queryPage(table, {
      ...ofUser(owner),
      ...(from !== undefined && { ExclusiveStartKey: batchKey(owner, from) }),
      ScanIndexForward: false,
      Limit: limit,
    });
    for (const batch of Items.map(batchFromItem)) {
      from = batch.id;
      const isWanted =
        (hpc === undefined || batch.project.hpc === hpc) &&
        (project === undefined || batch.project.name === project);
      if (isWanted) entries.push(batch);
      if (entries.length === limit) return { entries, next: from };
    }
    if (!LastEvaluatedKey) return { entries, next: undefined };
  }
}

const ofUser = (owner: UserId) => selectPrefix({ PK: userPartition(owner), prefix: batchPrefix });

/** Lists the batches of an account that hold something besides their jobs. */
export async function listHoldingBatches(
  table: Table,
  { user, ...project }: AccountKey,
): Promise<Batch[]> {
  const all = await queryAll(table, ofUser(user), batchFromItem);
  return all.filter(
    (batch) => isIn(batch, project) && (countPending(batch) > 0 || batch.held.kilobytes > 0),
  );
}

/** What batches hold besides their jobs, and how many jobs they have created so far. */
export interface BatchHolds extends JobHolds {
  /** Grows with each group of jobs that is created, which writes no ledger line. */
  readonly unfolded: number;
}

/**
 * Adds up what the batches of an account hold for jobs that are not created yet, and for the zips
 * that their jobs share.
 */
export async function readBatchHolds(
  table: Table,
  { user, ...project }: AccountKey,
  onPage: () => void = () => undefined,
  of: 'quota' | 'budget' = 'quota',
): Promise<BatchHolds> {
  let [seconds, kilobytes, activeJobs, unfolded] = [0, 0, 0, 0];
  const pages = queryPages(table, ofUser(user), batchFromItem);
  for await (const batches of pages) {
    onPage();
    for (const batch of batches.filter((each) => isIn(each, project))) {
      const pending = countPending(batch);
      const isPayer = (batch.drawn === true) === (of === 'budget');
      seconds += isPayer ? pending * batch.jobSeconds : 0;
      kilobytes += isPayer ? batch.held.kilobytes : 0;
      activeJobs += isPayer || of === 'quota' ? pending : 0;
      unfolded += batch.unfolded;
    }
  }
  return { seconds, kilobytes, activeJobs, unfolded };
}
