import { SystemUnavailableError } from '../errors.ts';
import type { BatchApi } from './batch-api.ts';
import { isClientException } from './explain-failure.ts';

/** Throws if the queue cannot run jobs now. */
export async function checkQueue(api: BatchApi, name: string): Promise<void> {
  const problem = await findProblem(api, name);
  if (problem === undefined) return;
  throw new SystemUnavailableError(`The job queue ${name} ${problem}.`, {
    said: 'The job queue on AWS Batch cannot run jobs.',
  });
}

async function findProblem(api: BatchApi, name: string): Promise<string | undefined> {
  try {
    const [queue] = (await api.describeJobQueue(name)).jobQueues ?? [];
    if (!queue) return 'does not exist';
    const { state, status, statusReason } = queue;
    if (state === 'ENABLED' && status === 'VALID') return undefined;
    return `is ${state} and ${status}${statusReason ? ` (${statusReason})` : ''}`;
  } catch (error) {
    if (isClientException(error)) return `cannot be described (${error.message})`;
    throw error;
  }
}
