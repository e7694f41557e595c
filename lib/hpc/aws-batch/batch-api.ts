import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchClient,
  DescribeJobQueuesCommand,
  type DescribeJobQueuesCommandOutput,
  DescribeJobsCommand,
  type DescribeJobsCommandOutput,
  ListJobsCommand,
  type ListJobsCommandInput,
  type ListJobsCommandOutput,
  SubmitJobCommand,
  type SubmitJobCommandInput,
  type SubmitJobCommandOutput,
  TerminateJobCommand,
} from '@aws-sdk/client-batch';
import { type ClientOptions, openClient } from '#lib/outbound/open-client.ts';
import { SystemBusyError } from '../errors.ts';
import { explainFailure, isThrottled } from './explain-failure.ts';
import { createPace, type Pace } from './pace.ts';

/** The operations of AWS Batch that a connector uses. Errors are those of lib/hpc/errors.ts. */
export interface BatchApi {
  submitJob(input: SubmitJobCommandInput): Promise<SubmitJobCommandOutput>;
  describeJobs(jobs: string[]): Promise<DescribeJobsCommandOutput>;
  listJobs(input: ListJobsCommandInput): Promise<ListJobsCommandOutput>;
  terminateJob(jobId: string, reason: string): Promise<void>;
  describeJobQueue(queue: string): Promise<DescribeJobQueuesCommandOutput>;
}

export interface BatchApiOptions extends ClientOptions {
  readonly pace?: Pace;
  readonly wait?: (ms: number) => Promise<unknown>;
  readonly random?: () => number;
}

/** The quota of an account for SubmitJob in a region, which cannot be raised. Other calls share it. */
const callsPerSecond = 50;

/** One for the process, because all of its systems share the quota. */
const pacePerProcess = createPace(callsPerSecond);

const firstPauseMs = 200;
const mostTries = 5;

export function openBatchApi({
  pace = pacePerProcess,
  wait = sleep,
  random = Math.random,
  ...options
}: BatchApiOptions = {}): BatchApi {
  // One attempt, because the SDK would send a job a second time after a lost answer.
  const client = openClient(BatchClient, { ...options, maxAttempts: 1 });

  /** Tries again only if AWS Batch said that it did nothing because of too many calls. */
  async function call<T>(name: string, send: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      await pace.takeTurn();
      try {
        return await send();
      } catch (error) {
        if (!isThrottled(error)) throw explainFailure(name, error);
        if (tries === mostTries) throw new SystemBusyError(`${name}: AWS Batch throttles calls.`);
        const longest = firstPauseMs * 2 ** tries;
        await wait(longest / 2 + (random() * longest) / 2);
      }
    }
  }

  return {
    submitJob: (input) => call('SubmitJob', () => client.send(new SubmitJobCommand(input))),
    describeJobs: (jobs) =>
      call('DescribeJobs', () => client.send(new DescribeJobsCommand({ jobs }))),
    listJobs: (input) => call('ListJobs', () => client.send(new ListJobsCommand(input))),
    terminateJob: (jobId, reason) =>
      call('TerminateJob', async () => {
        await client.send(new TerminateJobCommand({ jobId, reason }));
      }),
    describeJobQueue: (queue) =>
      call('DescribeJobQueues', () =>
        client.send(new DescribeJobQueuesCommand({ jobQueues: [queue] })),
      ),
  };
}
