import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { type HpcSystem, listStages } from '#lib/catalog/hpc-system.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { cursor, flag, limitTo, moment } from './query-fields.ts';

const mostJobs = 1000;
const usualJobs = 100;

/** A mistyped stage would otherwise read as "you have no such jobs". */
const jobFields = (stages: readonly string[]) => ({
  limit: v.optional(limitTo(mostJobs)),
  cursor,
  stage: v.optional(v.picklist(stages, `Unknown stage. Known stages: ${stages.join(', ')}.`)),
  terminal: flag,
  failed: flag,
  title: v.optional(v.pipe(v.string(), v.minLength(1, 'It must not be empty.'))),
  since: moment('00:00:00.000'),
  until: moment('23:59:59.999'),
  order: v.optional(v.picklist(['asc', 'desc'], 'It must be asc or desc.'), 'asc'),
});

/** Which jobs at a path, in which order, and how many of them. */
export const jobListQuery = (catalog: Catalog, system: HpcSystem | undefined) =>
  v.pipe(
    v.object(jobFields(stagesOf(catalog, system))),
    v.transform(({ limit, cursor, order, title, ...filter }) => ({
      limit,
      cursor,
      list: { order, filter: { ...filter, titleContains: title } },
    })),
  );

/** Everybody's: the same parameters, and `user` for those of one user. */
export const allJobsQuery = (catalog: Catalog, system: HpcSystem | undefined) =>
  v.pipe(
    v.object({
      ...jobFields(stagesOf(catalog, system)),
      user: v.optional(v.custom<UserId>(isUserId, 'It must be the number of a user.')),
    }),
    v.transform(({ limit = usualJobs, cursor, user: owner, order, title, ...filter }) => ({
      limit,
      cursor,
      list: { owner, order, filter: { ...filter, titleContains: title } },
    })),
  );

function stagesOf({ systems }: Catalog, system: HpcSystem | undefined): string[] {
  return [...new Set((system ? [system] : systems).flatMap(listStages))];
}
