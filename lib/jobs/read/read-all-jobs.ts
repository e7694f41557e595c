import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { idOfIndexKey, jobListRange, type ProjectKey, projectPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { jobFromItem } from '../job-item.ts';
import { type AllJobsList, isFiltered } from './job-list.ts';
import {
  filterExpression,
  filteredReadSize,
  idsBehind,
  type JobRun,
  readJobs,
} from './read-jobs.ts';

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
  const { owner } = list;
  if (owner !== undefined) return readJobs(table, { ...list, owner }, after, limit);
  const places = listPlaces(catalog, list);
  const runs = await Promise.all(
    places.map((place) => readProjectJobs(table, place, list, after, limit)),
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

function listPlaces({ systems }: Catalog, { hpc, project }: AllJobsList): ProjectKey[] {
  return systems
    .filter(({ name }) => hpc === undefined || name === hpc)
    .flatMap(({ name, projects }) => projects.map((each) => ({ hpc: name, project: each.name })))
    .filter((place) => project === undefined || place.project === project);
}

async function readProjectJobs(
  table: Table,
  project: ProjectKey,
  { order, filter }: AllJobsList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const { first, last } = idsBehind(order, after);
  if (first > last) return { jobs: [], resumeAfter: undefined };
  const { index, from, to } = jobListRange({}, first, last);
  const { expression, names, values } = filterExpression(filter);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'project_jobs',
      KeyConditionExpression: 'project_jobs = :project AND #index BETWEEN :from AND :to',
      FilterExpression: expression,
      ExpressionAttributeNames: { '#index': index, ...names },
      ExpressionAttributeValues: {
        ':project': projectPartition(project),
        ':from': from,
        ':to': to,
        ...values,
      },
      ScanIndexForward: order === 'asc',
      Limit: isFiltered(filter) ? filteredReadSize : limit,
    }),
  );
  return { jobs: Items.map(jobFromItem), resumeAfter: idOfIndexKey(LastEvaluatedKey?.[index]) };
}
