import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchFromItem } from '#lib/batches/batch.ts';
import { findOrder } from '#lib/batches/batch-store.ts';
import { readLeaders } from '#lib/budgets/leaders.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import { readOpenedProjects } from '#lib/projects/opened-project-store.ts';
import { quotaFromItem } from '#lib/quotas/quota-item.ts';
import type { Table } from '#lib/table/table.ts';
import { describeBatch } from './batch-record.ts';
import { describeBudget, describeJob, describeProject, describeQuota } from './records.ts';

/**
 * Reads all opened projects, then all jobs, batches, quotas and budgets, which may refer to them, page by page. Scans
 * the whole table, so only tools use it, never a request.
 */
export async function* readRecords(table: Table) {
  const projects = await readOpenedProjects(table);
  yield { lines: projects.map((each) => JSON.stringify(describeProject(each))), itemsRead: 0 };
  let itemsRead = 0;
  const whole = { TableName: table.name, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: table.client }, whole)) {
    itemsRead += Items.length;
    const lines = await Promise.all(Items.map((item) => formatItem(table, item)));
    yield { lines: lines.flat(), itemsRead };
  }
}

async function formatItem(
  table: Table,
  item: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  if (item.type === 'job') return [JSON.stringify(describeJob(jobFromItem(item)))];
  if (item.type === 'quota') return [JSON.stringify(describeQuota(quotaFromItem(item)))];
  if (item.type === 'budget') {
    const quota = quotaFromItem(item);
    const { hpc, name: project } = quota.project;
    const leaders = await readLeaders(table, { hpc, project });
    return [JSON.stringify(describeBudget({ quota, leaders }))];
  }
  if (item.type === 'batch') {
    const batch = batchFromItem(item);
    return [JSON.stringify(describeBatch({ batch, order: await findOrder(table, batch) }))];
  }
  return [];
}
