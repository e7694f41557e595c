import type { JobDetail } from '@aws-sdk/client-batch';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { isSystemFault, type Observation, type SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import type { BatchApi } from './batch-api.ts';
import { isClientException } from './explain-failure.ts';
import { parentOf } from './job-names.ts';
import { observeJob, observeTogether } from './observe-job.ts';

/** DescribeJobs takes no more. */
const jobsPerCall = 100;

const width = 4;

/**
 * Looks jobs up, 100 a call. The arrays are asked first: while all tasks of an array wait, or all of
 * them run, one call tells it for all.
 */
export async function lookUpJobs(
  api: BatchApi,
  jobs: readonly SubmittedJob[],
  now: Date,
): Promise<ReadonlyMap<string, Observation>> {
  const arrays = Map.groupBy(jobs, ({ handle }) => parentOf(handle));
  const parents = [...arrays].flatMap(([parent, tasks]) =>
    parent !== undefined && tasks.length > 1 ? [parent] : [],
  );
  const described = await describe(api, parents);
  const observations = new Map<string, Observation>();
  const others = jobs.filter(({ jobId, handle }) => {
    const parent = described.get(parentOf(handle) ?? '');
    const observation = parent && observeTogether(parent, now);
    if (observation) observations.set(jobId, observation);
    return observation === undefined;
  });
  const details = await describe(
    api,
    others.map(({ handle }) => handle),
  );
  for (const { jobId, handle } of others) {
    if (!details.has(handle)) continue;
    const detail = details.get(handle);
    const observation: Observation | undefined = detail
      ? observeJob(detail, now)
      : { state: 'unknown' };
    if (observation) observations.set(jobId, observation);
  }
  return observations;
}

/**
 * Returns details by id, with undefined for jobs that AWS Batch does not know. Ids are missing if
 * only some calls were answered. Throws if none was.
 */
async function describe(
  api: BatchApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobDetail | undefined>> {
  const details = new Map<string, JobDetail | undefined>();
  const ask = async (some: string[]) => {
    const { jobs = [] } = await api.describeJobs(some).catch(refuseToGuess);
    for (const id of some) details.set(id, undefined);
    for (const job of jobs) if (job.jobId !== undefined) details.set(job.jobId, job);
  };
  await mapInParallel(splitIntoBatches(ids, jobsPerCall), width, ask, {
    stopAtFailure: true,
  }).catch((error: unknown) => {
    if (details.size === 0 || !isSystemFault(error)) throw error;
  });
  return details;
}

function refuseToGuess(error: unknown): never {
  if (isClientException(error)) throw new SystemUnavailableError(`DescribeJobs: ${error.message}`);
  throw error;
}
