import type { Catalog } from '#lib/catalog/catalog.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import { jobKey, type ProjectKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';
import { jobFromItem } from '../job.ts';
import { findOwner } from './find-owner.ts';
import type { AllJobsList, JobList } from './job-list.ts';
import { type JobRun, readJobs } from './read-jobs.ts';

/**
 * Finds the job with this id, or none. Its project is not known, so each of the few projects is
 * read. An index would be a moment behind, and a job must be found right after its 201.
 */
async function readNamedJob(
  table: Table,
  catalog: Catalog,
  list: AllJobsList & { readonly owner: UserId },
  jobId: JobId,
): Promise<JobRun> {
  const projects = await chooseProjects(table, catalog, list);
  const keys = projects.map((project) => jobKey({ user: list.owner, ...project }, jobId));
  return { jobs: (await readItems(table, keys)).map(jobFromItem), resumeAfter: undefined };
}

/** Finds anybody's job by the registry, which may miss a job that was submitted a moment ago. */
export async function readAnyNamedJob(
  table: Table,
  catalog: Catalog,
  list: AllJobsList,
  jobId: JobId,
): Promise<JobRun> {
  try {
    const owner = await findOwner(table, jobId);
    return await readNamedJob(table, catalog, { ...list, owner }, jobId);
  } catch (error) {
    if (!(error instanceof JobNotFoundError)) throw error;
    return { jobs: [], resumeAfter: undefined };
  }
}

/** Reads one run of a caller's jobs, strongly consistent. */
export async function readOwnJobs(
  table: Table,
  catalog: Catalog,
  list: JobList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const { jobId } = list;
  return jobId === undefined
    ? readJobs(table, list, after, limit)
    : readNamedJob(table, catalog, list, jobId);
}

/** Lists the projects that a list covers, including those opened at run time. */
export async function chooseProjects(
  table: Table,
  { systems }: Catalog,
  { hpc, project }: AllJobsList,
): Promise<ProjectKey[]> {
  if (hpc !== undefined && project !== undefined) return [{ hpc, project }];
  const wanted = systems.filter(({ name }) => hpc === undefined || name === hpc);
  return (await listProjects(table, wanted)).map(projectKeyOf);
}
