import type { Catalog } from '#lib/catalog/catalog.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { listQuotas, type QuotaPosition } from '#lib/quotas/grants/list-quotas.ts';
import type { Table } from '#lib/table/table.ts';
import { readCounter } from '#lib/table/writes/counter.ts';

/** Whose a record number is already, in words; nobody's where it is free. */
export interface GivenNumbers {
  findJob(id: number): Promise<string | undefined>;
  findQuota(id: number): Promise<string | undefined>;
}

/** Numbers behind the counters were never given: only of the others somebody has to look. */
export async function openGivenNumbers(table: Table, catalog: Catalog): Promise<GivenNumbers> {
  const last = { job: await readCounter(table, 'job'), quota: await readCounter(table, 'quota') };
  let quotas: Promise<ReadonlyMap<number, string>> | undefined;
  return {
    async findJob(id) {
      if (id > last.job) return undefined;
      const { jobs } = await readAllJobs(table, catalog, { order: 'asc', filter: {} }, id - 1, 1);
      const job = jobs.find((each) => each.id === id);
      return job && `the job ${job.jobId} of user ${job.owner}`;
    },
    async findQuota(id) {
      if (id > last.quota) return undefined;
      quotas ??= readQuotaNumbers(table, catalog);
      return (await quotas).get(id);
    },
  };
}

const pageSize = 100;

/** No index has quotas by their numbers, so all are read, once. */
async function readQuotaNumbers(table: Table, catalog: Catalog) {
  const projects = await listProjects(table, catalog.systems);
  const found = new Map<number, string>();
  let after: QuotaPosition | undefined;
  do {
    const { quotas, next } = await listQuotas(table, projects, pageSize, after);
    for (const { id, user, project } of quotas) {
      found.set(id, `the quota of user ${user} in ${project.hpc}/${project.name}`);
    }
    after = next;
  } while (after);
  return found;
}
