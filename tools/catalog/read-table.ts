import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { lifeFromItem } from '#lib/jobs/life/job-life.ts';
import { readOpenedProjects } from '#lib/projects/opened-project-store.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { walkDue } from '#lib/table/due-index.ts';
import { checksOf, handOversOf, listShards, userRegistry } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { type CatalogUse, openUseCount, type UseCount } from './catalog-use.ts';

/** Later than any due time. */
const everything = new Date('9999-01-01T00:00:00Z');

const pageSize = 100;
const parallelReads = 10;

/**
 * Counts what a table refers to, without a scan: the projects that were opened at run time, the
 * quotas of every user, and the active jobs on the systems of these quotas. Ended jobs are not
 * read, because each has a quota in its project.
 */
export async function readTable(
  table: Table,
  onProgress: (users: number, activeJobs: number) => void,
): Promise<CatalogUse> {
  const uses = openUseCount();
  for (const project of await readOpenedProjects(table)) uses.addOpened(project);
  const systems = new Set<SystemName>();
  let users = 0;
  let activeJobs = 0;
  for await (const page of listUsers(table)) {
    const quotas = await mapInParallel(page, parallelReads, (user) => readQuotas(table, user));
    for (const { project } of quotas.flat()) {
      uses.addQuota(project);
      systems.add(project.hpc);
    }
    users += page.length;
    onProgress(users, activeJobs);
  }
  for (const hpc of systems) {
    for await (const found of addLivingJobs(table, hpc, uses)) {
      activeJobs += found;
      onProgress(users, activeJobs);
    }
  }
  return uses.result();
}

async function* listUsers(table: Table): AsyncGenerator<readonly UserId[]> {
  let after: UserId | undefined;
  do {
    const { users, goesOn } = await readRegistry(table, userRegistry, pageSize, after);
    yield users;
    after = goesOn ? users.at(-1) : undefined;
  } while (after !== undefined);
}

/**
 * Finds active jobs through the index of due jobs, because every active job is due at some time.
 */
async function* addLivingJobs(
  table: Table,
  hpc: SystemName,
  uses: UseCount,
): AsyncGenerator<number> {
  const shards = [...listShards(handOversOf(hpc)), ...listShards(checksOf(hpc))];
  for await (const page of walkDue(table, shards, everything, pageSize)) {
    for (const item of await readItems(table, page)) {
      const { jobId, stages } = lifeFromItem(item);
      const last = stages.at(-1);
      if (last) uses.addLiving(hpc, last.stage, jobId);
    }
    yield page.length;
  }
}
