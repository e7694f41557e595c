import type { Catalog } from '#lib/catalog/catalog.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type ProjectKey, projectPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { AllJobsList } from './job-list.ts';
import { type JobRun, readJobs, readRun } from './read-jobs.ts';
import { chooseProjects, readAnyNamedJob } from './read-named-job.ts';

const projectsAtATime = 32;

/**
 * Reads one run of everybody's jobs. With an owner, they come from that user's own indexes,
 * strongly consistent. Otherwise they come from each project's index, which lags a moment behind,
 * and are merged by id. That costs one read for each project.
 */
export async function readAllJobs(
  table: Table,
  catalog: Catalog,
  list: AllJobsList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const { owner, jobId } = list;
  if (jobId !== undefined) return readAnyNamedJob(table, catalog, list, jobId);
  if (owner !== undefined) return readJobs(table, { ...list, owner }, after, limit);
  const projects = await chooseProjects(table, catalog, list);
  const runs = await mapInParallel(projects, projectsAtATime, (project) =>
    readProjectJobs(table, project, list, after, limit),
  );
  return mergeRuns(runs, list.order);
}

/**
 * Merges runs up to the nearest place where one of them stopped. Beyond it, that run may have jobs
 * that were not read yet, so the next read continues there.
 */
export function mergeRuns(runs: readonly JobRun[], order: AllJobsList['order']): JobRun {
  const turn = order === 'asc' ? 1 : -1;
  const ends = runs.flatMap(({ resumeAfter }) => (resumeAfter === undefined ? [] : [resumeAfter]));
  const [nearest] = ends.sort((a, b) => turn * (a - b));
  const jobs = runs
    .flatMap((run) => run.jobs)
    .filter(({ id }) => nearest === undefined || turn * (id - nearest) <= 0)
    .sort((a, b) => turn * (a.id - b.id));
  return { jobs, resumeAfter: nearest };
}

function readProjectJobs(
  table: Table,
  project: ProjectKey,
  list: AllJobsList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const values = { ':project': projectPartition(project) };
  const partition = { condition: 'project_jobs = :project', values };
  const source = { partition, range: {}, globalIndex: 'project_jobs' };
  return readRun(table, source, list, after, limit);
}
