import type { Catalog } from '#lib/catalog/catalog.ts';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { jobKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';
import { jobFromItem } from '../job.ts';
import { chooseProjects } from './choose-projects.ts';
import { findOwner } from './find-owner.ts';
import type { AllJobsList } from './job-list.ts';
import type { JobRun } from './read-jobs.ts';

/**
 * The job of this name, or none. It is under its project, which nobody named, so it is looked for in
 * each: they are few, and a job is found right after its 201, as no index would promise.
 */
export async function readNamedJob(
  table: Table,
  catalog: Catalog,
  list: AllJobsList & { readonly owner: UserId },
  jobId: JobId,
): Promise<JobRun> {
  const projects = await chooseProjects(table, catalog, list);
  const keys = projects.map((project) => jobKey({ user: list.owner, ...project }, jobId));
  return { jobs: (await readItems(table, keys)).map(jobFromItem), resumeAfter: undefined };
}

/** Whosever it is: the registry says it, and may not know of a job that was submitted a moment ago. */
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
