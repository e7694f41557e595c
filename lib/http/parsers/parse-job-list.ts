import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { type HpcSystem, listStages, type Project } from '#lib/catalog/hpc-system.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import type { AllJobsList, JobList } from '#lib/jobs/read/job-list.ts';
import type { Caller } from '../caller.ts';
import { flag, limitTo, moment } from './query-fields.ts';
import { readQuery } from './read-query.ts';

export interface JobListRequest {
  readonly list: JobList;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

/** A mistyped stage would otherwise read as "you have no such jobs". */
const jobQuery = (stages: readonly string[]) =>
  v.object({
    limit: v.optional(limitTo(1000)),
    cursor: v.optional(v.string()),
    stage: v.optional(
      v.picklist(stages, `There is no such stage here. There are: ${stages.join(', ')}.`),
    ),
    terminal: flag('terminal'),
    failed: flag('failed'),
    title: v.optional(v.pipe(v.string(), v.minLength(1, 'Some text to look for is needed.'))),
    since: moment('00:00:00.000'),
    until: moment('23:59:59.999'),
    order: v.optional(v.picklist(['asc', 'desc'], 'order is asc or desc.'), 'asc'),
  });

export interface ListPath {
  readonly hpc?: HpcSystem;
  readonly project_name?: Project;
}

export function parseJobList(
  catalog: Catalog,
  caller: Caller,
  path: ListPath,
  event: APIGatewayProxyEventV2,
): JobListRequest {
  const { limit, cursor, ...query } = readQuery(jobQuery(stagesAt(catalog, path)), event);
  return { list: { owner: caller.userId, ...describeList(path, query) }, limit, cursor };
}

export interface AllJobsRequest {
  readonly list: AllJobsList;
  readonly limit: number;
  readonly cursor: string | undefined;
}

const usualLimit = 100;

/** Everybody's: the same parameters, and `user` for those of one user. */
export function parseAllJobsList(
  catalog: Catalog,
  path: ListPath,
  event: APIGatewayProxyEventV2,
): AllJobsRequest {
  const user = v.optional(v.custom<UserId>(isUserId, 'A user identifier is needed: digits.'));
  const schema = v.object({ ...jobQuery(stagesAt(catalog, path)).entries, user });
  const { limit = usualLimit, cursor, user: owner, ...query } = readQuery(schema, event);
  return { list: { owner, ...describeList(path, query) }, limit, cursor };
}

function stagesAt({ systems }: Catalog, { hpc }: ListPath): string[] {
  return [...new Set((hpc ? [hpc] : systems).flatMap(listStages))];
}

type JobQuery = Omit<v.InferOutput<ReturnType<typeof jobQuery>>, 'limit' | 'cursor'>;

function describeList({ hpc, project_name: project }: ListPath, query: JobQuery) {
  const { order, title, ...filter } = query;
  return {
    hpc: hpc?.name,
    project: project?.name,
    order,
    filter: { ...filter, titleContains: title },
  };
}
