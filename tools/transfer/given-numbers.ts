import type { Catalog } from '#lib/catalog/catalog.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { listQuotas, type QuotaPosition } from '#lib/quotas/grants/list-quotas.ts';
import { readCounter } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';

export type GivenNumbers = Awaited<ReturnType<typeof openGivenNumbers>>;

/**
 * Finds numbers that are in use, and describes their owners. Numbers above the counters are always free. For the first lower
 * number all numbers are read once, because no index has them across projects, and a query per line
 * and project would take far longer.
 */
export async function openGivenNumbers(
  table: Table,
  catalog: Catalog,
  jobIds: ReadonlySet<number>,
) {
  const last = { job: await readCounter(table, 'job'), quota: await readCounter(table, 'quota') };
  let jobs: Promise<ReadonlyMap<number, string>> | undefined;
  let quotas: Promise<ReadonlyMap<number, string>> | undefined;
  return {
    async findJob(id: number) {
      if (id > last.job) return undefined;
      jobs ??= readJobNumbers(table, catalog, jobIds);
      return (await jobs).get(id);
    },
    async findQuota(id: number) {
      if (id > last.quota) return undefined;
      quotas ??= readQuotaNumbers(table, catalog);
      return (await quotas).get(id);
    },
  };
}

const projectsAtATime = 32;

/** Reads every project once, from the lowest to the highest number in the file. */
async function readJobNumbers(table: Table, catalog: Catalog, wanted: ReadonlySet<number>) {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = 0;
  for (const id of wanted) {
    lowest = Math.min(lowest, id);
    highest = Math.max(highest, id);
  }
  const found = new Map<number, string>();
  const projects = await listProjects(table, catalog.systems);
  await mapInParallel(projects, projectsAtATime, async ({ hpc, name: project }) => {
    const list = { hpc, project, order: 'asc', filter: {} } as const;
    let after: number | undefined = lowest - 1;
    while (after !== undefined && after < highest) {
      const { jobs, resumeAfter } = await readAllJobs(table, catalog, list, after);
      for (const { id, jobId, owner } of jobs) {
        if (wanted.has(id)) found.set(id, `the job ${jobId} of user ${owner}`);
      }
      after = resumeAfter;
    }
  });
  return found;
}

const pageSize = 100;

async function readQuotaNumbers(table: Table, catalog: Catalog) {
  const projects = await listProjects(table, catalog.systems);
  const found = new Map<number, string>();
  let after: QuotaPosition | undefined;
  do {
    const { entries: quotas, next } = await listQuotas(table, projects, pageSize, after);
    for (const { id, user, project } of quotas) {
      found.set(id, `the quota of user ${user} in ${project.hpc}/${project.name}`);
    }
    after = next;
  } while (after);
  return found;
}
