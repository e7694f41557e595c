import type { RetryStrategy, SubmitJobCommandInput } from '@aws-sdk/client-batch';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { findDefinition } from '#lib/catalog/images.ts';
import { chooseSize } from '#lib/catalog/kinds/fargate.ts';
import { roundUp } from '#lib/time/round-up.ts';
import { type ArrayTask, type BatchPlace, classOf, type JobOrder } from '../connector.ts';
import { JobRefusedError, SystemUnavailableError } from '../errors.ts';
import { type ImageSite, requireAllowed } from '../script/choose-image.ts';
import type { BatchApi } from './batch-api.ts';
import { writeBootstrap } from './bootstrap.ts';
import { checkQueue } from './check-queue.ts';
import { isClientException } from './explain-failure.ts';
import { findByTags } from './find-by-tag.ts';
import { handleOfChild, nameOfJob } from './job-names.ts';

/** Where and how the jobs of a system run on AWS Batch. */
export interface BatchSite extends BatchPlace, ImageSite {
  readonly memoryPerCore?: number | undefined;
  readonly spot?: boolean | undefined;
  /** Classes may have queues of their own. */
  readonly classes?: HpcSystem['classes'] | undefined;
}

/** Lists the queues that jobs of the system may be in. */
export function queuesOf({ queue, classes = [] }: BatchSite): string[] {
  return [...new Set([queue, ...classes.flatMap((each) => each.queue ?? [])])];
}

/** Hands a job over and returns its handle. */
export async function submitJob(api: BatchApi, site: BatchSite, order: JobOrder): Promise<string> {
  const { scriptAddress: address } = order;
  return handOver(api, {
    ...describeJob(site, order),
    containerOverrides: describeContainer(site, order, writeBootstrap({ address: know(address) })),
  });
}

interface Task {
  readonly order: JobOrder;
  readonly array: ArrayTask;
}

/**
 * Hands over each run of tasks without gaps as one array, and a task between gaps alone. With
 * `again`, looks for them first. Throws only if no job was handed over.
 */
export async function submitArray(
  api: BatchApi,
  site: BatchSite,
  orders: readonly JobOrder[],
  again: boolean,
): Promise<ReadonlyMap<string, string>> {
  const handles = new Map(again ? await findByTags(api, queuesOf(site), orders) : []);
  const known = handles.size;
  const tasks = orders.flatMap((order) =>
    order.array && !handles.has(order.jobId) ? [{ order, array: order.array }] : [],
  );
  for (const run of splitAtGaps(tasks)) {
    try {
      for (const [jobId, handle] of await submitRun(api, site, run)) handles.set(jobId, handle);
    } catch (error) {
      if (handles.size === known) throw error;
      break;
    }
  }
  return handles;
}

function splitAtGaps(tasks: readonly Task[]): Task[][] {
  const runs: Task[][] = [];
  for (const task of tasks.toSorted((one, other) => one.array.task - other.array.task)) {
    const run = runs.at(-1);
    if (run?.at(-1)?.array.task === task.array.task - 1) run.push(task);
    else runs.push([task]);
  }
  return runs;
}

async function submitRun(
  api: BatchApi,
  site: BatchSite,
  run: readonly Task[],
): Promise<(readonly [string, string])[]> {
  const [first, ...others] = run;
  if (!first) return [];
  const { order, array } = first;
  // AWS Batch has no arrays of one.
  if (others.length === 0) return [[order.jobId, await submitJob(api, site, order)]];
  const command = writeBootstrap({ address: know(array.scriptAddress), firstTask: array.task });
  const parent = await handOver(api, {
    ...describeJob(site, order),
    containerOverrides: describeContainer(site, order, command),
    arrayProperties: { size: run.length },
  });
  return run.map(({ order: { jobId } }, index) => [jobId, handleOfChild(parent, index)] as const);
}

function know(address: string | undefined): string {
  if (address === undefined) throw new Error('The order has no address of a script.');
  return address;
}

/**
 * AWS Batch repeats nothing but runs whose host was reclaimed. Slipway counts them as one. The words
 * are those of ECS for Fargate Spot, and of AWS Batch for a queue of the centre's own on EC2.
 */
const onlyReclaimed: RetryStrategy = {
  attempts: 5,
  evaluateOnExit: [
    { action: 'RETRY', onStatusReason: 'Your Spot Task was interrupted*' },
    { action: 'RETRY', onStatusReason: 'Host EC2*' },
    // A run that matches none of the rules, at most five, would be repeated, and AWS does not say which
    // of the texts are always set.
    { action: 'EXIT', onExitCode: '*' },
    { action: 'EXIT', onReason: '*' },
    { action: 'EXIT', onStatusReason: '*' },
  ],
};

interface Described extends Pick<SubmitJobCommandInput, 'jobName' | 'timeout' | 'retryStrategy'> {
  readonly jobQueue: string;
  readonly jobDefinition: string;
}

function describeJob(site: BatchSite, order: JobOrder): Described {
  const { spot = false } = site;
  return {
    jobQueue: classOf(site, order).queue ?? site.queue,
    jobDefinition: definitionFor(site, order),
    jobName: nameOfJob(order),
    timeout: { attemptDurationSeconds: roundUp(order.hours * 3600) },
    retryStrategy: spot ? onlyReclaimed : { attempts: 1 },
  };
}

/** The image of a container is that of its job definition, so each image has one of its own. */
function definitionFor(site: BatchSite, order: JobOrder): string {
  const image = requireAllowed(site, order);
  return (image === undefined ? undefined : findDefinition(site, image)) ?? site.definition;
}

const mebibytesPerGibibyte = 1024;

function describeContainer({ memoryPerCore }: BatchSite, order: JobOrder, command: string[]) {
  const size = chooseSize(order.coresPerNode, memoryPerCore, order.memoryMegabytes);
  if (!size || order.nodes > 1) {
    throw new JobRefusedError(
      'No container of Fargate has as many nodes and cores and as much memory.',
    );
  }
  return {
    command,
    resourceRequirements: [
      { type: 'VCPU' as const, value: String(size.cores) },
      { type: 'MEMORY' as const, value: String(size.memoryGigabytes * mebibytesPerGibibyte) },
    ],
  };
}

type Ordered = Described & SubmitJobCommandInput;

/** A refused order is the job's fault only if its queue and job definition are in order. */
async function handOver(api: BatchApi, ordered: Ordered): Promise<string> {
  try {
    const { jobId } = await api.submitJob(ordered);
    if (jobId !== undefined) return jobId;
  } catch (error) {
    if (!isClientException(error)) throw error;
    await checkQueue(api, ordered.jobQueue);
    const said = `AWS Batch says: ${error.message}`;
    if (/job ?definition/i.test(error.message)) {
      throw new SystemUnavailableError(`SubmitJob: ${said}`, { cause: error });
    }
    throw new JobRefusedError(`AWS Batch refused the job. ${said}`, { cause: error });
  }
  throw new SystemUnavailableError('SubmitJob: The answer has no job id.');
}
