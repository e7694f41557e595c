import type { Catalog } from '#lib/catalog/catalog.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type ProjectKey, projectPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { AllJobsList } from './job-list.ts';
import { type JobRun, readJobs, readRun } from './read-jobs.ts';
import { chooseProjects, readAnyNamedJob } from './read-named-job.ts';

/** How many projects are read at a time. */
const projectsAtATime = 32;

/**
 * One run of everybody's jobs. Those of a user come from the user's own indexes, consistent; others
 * from the index of each project, a moment behind, merged by id: it costs what a read of one
 * project costs, times the projects.
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
 * What is known for certain of the whole: a run that goes on says nothing of what lies behind its
 * last place, so the merge ends at the nearest of these places and goes on there.
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
