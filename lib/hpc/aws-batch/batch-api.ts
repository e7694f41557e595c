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

interface Pace {
  /** Waits until the next call may be made. */
  takeTurn(): Promise<void>;
}

interface PaceClock {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

const realClock: PaceClock = { now: () => performance.now(), wait: sleep };

/** A second, and a twentieth of it because calls take unevenly long to arrive. */
const windowMs = 1050;

/**
 * Spreads calls evenly over each second. A burst after a pause would be throttled, together with the
 * calls that follow it in the same second. Calls that are late because the process was busy catch
 * up, but there are never more than `perSecond` in a second.
 */
export function createPace(perSecond: number, { now, wait }: PaceClock = realClock): Pace {
  const gapMs = windowMs / perSecond;
  /** When the last turns were really taken. */
  const taken: number[] = [];
  let planned = Number.NEGATIVE_INFINITY;
  let queue = Promise.resolve();

  async function waitUntil(plannedAt: number): Promise<void> {
    const oldest = taken.length < perSecond ? undefined : taken.shift();
    const from = Math.max(plannedAt, (oldest ?? Number.NEGATIVE_INFINITY) + windowMs);
    // Timers count whole milliseconds.
    for (let rest = from - now(); rest > 0; rest = from - now()) await wait(Math.ceil(rest));
    taken.push(now());
  }

  return {
    takeTurn() {
      const plannedAt = Math.max(planned + gapMs, now());
      planned = plannedAt;
      queue = queue.then(() => waitUntil(plannedAt));
      return queue;
    },
  };
}

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
