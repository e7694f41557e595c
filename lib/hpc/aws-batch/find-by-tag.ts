import type { JobSummary, ListJobsCommandOutput } from '@aws-sdk/client-batch';
import type { JobTag } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import type { BatchApi } from './batch-api.ts';
import { isClientException } from './explain-failure.ts';
import { filterFor, handleOfChild, readName } from './job-names.ts';

export async function findByTag(
  api: BatchApi,
  queues: readonly string[],
  tag: JobTag,
): Promise<string | undefined> {
  return (await findByTags(api, queues, [tag])).get(tag.jobId);
}

/**
 * Finds jobs by their names, with one list of each queue for all jobs of an array. Returns handles by job id. If
 * several jobs have the name, because an answer was lost, one that has not failed is chosen, and
 * among those the oldest. Only the chosen one gets the job's script.
 */
export async function findByTags(
  api: BatchApi,
  queues: readonly string[],
  tags: readonly JobTag[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [filter, some] of Map.groupBy(tags, filterFor)) {
    const lists: JobSummary[][] = [];
    for (const queue of queues) lists.push(await listNamed(api, queue, filter));
    const listed = lists.flat().toSorted(byPreference);
    for (const tag of some) {
      const handle = listed.flatMap((summary) => findIn(summary, tag)).at(0);
      if (handle !== undefined) found.set(tag.jobId, handle);
    }
  }
  return found;
}

function byPreference(one: JobSummary, other: JobSummary): number {
  const failed = ({ status }: JobSummary) => (status === 'FAILED' ? 1 : 0);
  return failed(one) - failed(other) || (one.createdAt ?? 0) - (other.createdAt ?? 0);
}

function findIn(
  { jobId: id, jobName: name = '', arrayProperties }: JobSummary,
  { jobId, array }: JobTag,
): string[] {
  if (id === undefined) return [];
  if (!array) return name === jobId ? [id] : [];
  const first = readName(name);
  if (first?.array !== array.name) return [];
  const { size } = arrayProperties ?? {};
  const index = array.task - first.task;
  if (size === undefined) return index === 0 ? [id] : [];
  return index >= 0 && index < size ? [handleOfChild(id, index)] : [];
}

async function listNamed(api: BatchApi, queue: string, name: string): Promise<JobSummary[]> {
  const filters = [{ name: 'JOB_NAME', values: [name] }];
  const listed: JobSummary[] = [];
  let nextToken: string | undefined;
  try {
    do {
      const page: ListJobsCommandOutput = await api.listJobs({
        jobQueue: queue,
        filters,
        ...(nextToken !== undefined && { nextToken }),
      });
      listed.push(...(page.jobSummaryList ?? []));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
  } catch (error) {
    // The queue is missing. Answering "none" could hand the job over twice.
    if (isClientException(error)) throw new SystemUnavailableError(`ListJobs: ${error.message}`);
    throw error;
  }
  return listed;
}
