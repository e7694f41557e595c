import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { jobFromItem } from '#lib/jobs/job.ts';
import { readOpenedProjects } from '#lib/projects/opened-project-store.ts';
import { quotaFromItem } from '#lib/quotas/quota-item.ts';
import type { Table } from '#lib/table/table.ts';
import { describeJob, describeProject, describeQuota } from './records.ts';

/**
 * Reads all opened projects, then all jobs and quotas, which may refer to them, page by page. Scans
 * the whole table, so only tools use it, never a request.
 */
export async function* readRecords(table: Table) {
  const projects = await readOpenedProjects(table);
  yield { lines: projects.map((each) => JSON.stringify(describeProject(each))), itemsRead: 0 };
  let itemsRead = 0;
  const whole = { TableName: table.name, ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: table.client }, whole)) {
    itemsRead += Items.length;
    yield { lines: Items.flatMap(formatItem), itemsRead };
  }
}

function formatItem(item: Readonly<Record<string, unknown>>): string[] {
  if (item.type === 'job') return [JSON.stringify(describeJob(jobFromItem(item)))];
  if (item.type === 'quota') return [JSON.stringify(describeQuota(quotaFromItem(item)))];
  return [];
}
