import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { type HpcSystem, listStages } from '#lib/catalog/hpc-system.ts';
import { type BatchId, isBatchId, isJobId, type JobId } from '#lib/catalog/identifiers.ts';
import {
  checkAt,
  cursor,
  endOfDay,
  flag,
  limitTo,
  moment,
  startOfDay,
  userNumber,
} from '../fields.ts';

const mostJobs = 1000;
const usualJobs = 100;

/** Refuses unknown stages: a mistyped one would otherwise read as "you have no such jobs". */
const jobFields = (stages: readonly string[]) => ({
  limit: v.optional(limitTo(mostJobs)),
  cursor,
  stage: v.optional(v.picklist(stages, `Unknown stage. Known stages: ${stages.join(', ')}.`)),
  terminal: flag,
  failed: flag,
  title: v.optional(v.pipe(v.string(), v.minLength(1, 'It must not be empty.'))),
  since: moment(startOfDay),
  until: moment(endOfDay),
  order: v.optional(v.picklist(['asc', 'desc'], 'It must be asc or desc.')),
  job_id: v.optional(
    v.custom<JobId>(isJobId, 'It must be a job_id: upper-case letters, digits, - and _.'),
  ),
});

/** Allows `job_id` only alone: another filter that excludes the job would seem to say it is gone. */
const standsAlone = ({ job_id: jobId, ...others }: Readonly<Record<string, unknown>>) =>
  jobId === undefined || Object.values(others).every((value) => value === undefined);

const onlyThat = 'It names one job. Send no other parameter with it.';

export const jobListQuery = (catalog: Catalog, system: HpcSystem | undefined) =>
  v.pipe(
    v.object({
      ...jobFields(stagesOf(catalog, system)),
      batch: v.optional(
        v.custom<BatchId>(isBatchId, 'It must be the batch_id of one of your batches.'),
      ),
    }),
    checkAt('job_id', (query) => standsAlone(query), onlyThat),
    v.transform(({ limit, cursor, order = 'asc', title, job_id: jobId, batch, ...filter }) => ({
      limit,
      cursor,
      batch,
      list: { jobId, order, filter: { ...filter, titleContains: title } },
    })),
  );

/** Filters, sorts and pages everybody's jobs, or those of one `user`. */
export const allJobsQuery = (catalog: Catalog, system: HpcSystem | undefined) =>
  v.pipe(
    v.object({
      ...jobFields(stagesOf(catalog, system)),
      user: v.optional(userNumber),
      names: flag,
    }),
    checkAt('job_id', ({ names: _, ...query }) => standsAlone(query), onlyThat),
    v.transform(({ limit = usualJobs, cursor, names, user: owner, order = 'asc', ...others }) => {
      const { title, job_id: jobId, ...filter } = others;
      return {
        limit,
        cursor,
        names,
        list: { owner, jobId, order, filter: { ...filter, titleContains: title } },
      };
    }),
  );

function stagesOf({ systems }: Catalog, system: HpcSystem | undefined): string[] {
  return [...new Set((system ? [system] : systems).flatMap(listStages))];
}

/** Whether to only judge the submission. Unknown parameters are refused, so a typo starts no job. */
export const dryRunQuery = v.pipe(
  v.object({ dry_run: flag }),
  v.transform(({ dry_run: dryRun = false }) => ({ dryRun })),
);

/** Limits a DELETE to one of its two effects, so that a late request does not do the other. */
export const discardQuery = v.object({
  only: v.optional(v.picklist(['cancel', 'delete'], 'It must be cancel or delete.')),
});

/** Asks for one job, alone or with what it asked for. */
export const jobQuery = v.object({
  expand: v.optional(v.picklist(['request'], 'It must be request.')),
});

export const anyJobQuery = v.object({ ...jobQuery.entries, names: flag });
