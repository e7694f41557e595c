import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { HpcSystem } from '../../catalog/hpc-system.ts';
import { simulatorKey } from '../../table/keys.ts';
import { parseItem } from '../../table/parse-item.ts';
import type { Table } from '../../table/table.ts';
import type { Connector, JobOrder, Observation, SubmittedJob } from '../connector.ts';
import { RemoteFileNotFoundError, SystemUnavailableError } from '../errors.ts';
import { observeSimulatedJob, type SimulatedJob } from './simulated-job.ts';

const SimulatedItem = v.object({
  SK: v.string(),
  accepted_at: v.string(),
  hours: v.number(),
  title: v.string(),
});

export interface SimulatorOptions {
  /** How long one hour of a job takes. */
  readonly hourSeconds: number;
  readonly now?: () => Date;
}

/**
 * An HPC system that only keeps the time. What it took it remembers in the table, so that it is
 * the same system for every process, and after a restart.
 */
export function createSimulator(
  table: Table,
  system: HpcSystem,
  { hourSeconds, now = () => new Date() }: SimulatorOptions,
): Connector {
  const observe = (job: SimulatedJob): Observation =>
    observeSimulatedJob(system.stages, job, now(), hourSeconds);
  return {
    pollFloorSeconds: Math.min(60, hourSeconds / 60),
    batchSize: 100,
    submit: (order) => takeJob(table, system.name, order, now()),
    async findByTag({ jobId }) {
      const { Item } = await table.client.send(
        new GetCommand({
          TableName: table.name,
          Key: simulatorKey(system.name, jobId),
          ConsistentRead: true,
        }),
      );
      return Item && jobId;
    },
    async lookUp(jobs) {
      const known = await readJobs(table, system.name, jobs);
      return new Map(
        jobs.map(({ jobId, handle }): [string, Observation] => {
          const job = known.get(handle);
          return [jobId, job ? observe(job) : { state: 'unknown' }];
        }),
      );
    },
    async cancel({ handle }) {
      await table.client.send(
        new DeleteCommand({ TableName: table.name, Key: simulatorKey(system.name, handle) }),
      );
    },
    listFiles: async () => [],
    fetchFile: async () => {
      throw new RemoteFileNotFoundError();
    },
    checkHealth: async () => undefined,
  };
}

/** A job that is sent twice would be two jobs on a real system: here it is an error that shows. */
async function takeJob(table: Table, hpc: string, order: JobOrder, at: Date): Promise<string> {
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...simulatorKey(hpc, order.jobId),
          type: 'simulated-job',
          schema_version: 1,
          accepted_at: at.toISOString(),
          hours: order.hours,
          title: order.title,
        },
        ConditionExpression: 'attribute_not_exists(PK)',
      }),
    );
    return order.jobId;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new Error(`${order.jobId} was submitted twice`, { cause: error });
  }
}

async function readJobs(
  table: Table,
  hpc: string,
  jobs: readonly SubmittedJob[],
): Promise<ReadonlyMap<string, SimulatedJob>> {
  if (jobs.length === 0) return new Map();
  const { Responses = {}, UnprocessedKeys = {} } = await table.client.send(
    new BatchGetCommand({
      RequestItems: {
        [table.name]: {
          Keys: jobs.map(({ handle }) => simulatorKey(hpc, handle)),
          ConsistentRead: true,
        },
      },
    }),
  );
  if (Object.keys(UnprocessedKeys).length > 0) {
    throw new SystemUnavailableError('The simulator did not answer for all jobs.');
  }
  return new Map(
    (Responses[table.name] ?? []).map((stored) => {
      const { SK, accepted_at, hours, title } = parseItem(SimulatedItem, stored);
      return [SK, { acceptedAt: new Date(accepted_at), hours, title }];
    }),
  );
}
