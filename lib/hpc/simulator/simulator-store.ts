import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { JobId, SystemName } from '#lib/catalog/identifiers.ts';
import { type PrimaryKey, simulatorKey, simulatorOrderKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';
import type { JobOrder } from '../connector.ts';
import type { SimulatedJob } from './simulated-job.ts';
import type { SimulatedOrder } from './write-output.ts';

const JobItem = v.object({
  SK: v.string(),
  accepted_at: v.string(),
  hours: v.number(),
  title: v.string(),
  cancelled_at: v.optional(v.string()),
});

const OrderItem = v.object({
  login: v.optional(v.string()),
  program: v.string(),
  nodes: v.number(),
  cores_per_node: v.number(),
  input: v.union([
    v.picklist(['none', 'unreadable']),
    v.object({
      files: v.array(v.object({ name: v.string(), bytes: v.number() })),
      more: v.number(),
    }),
  ]),
});

/** Fails for a job that is sent twice, which would be two jobs on a real system. */
export async function putJob(
  table: Table,
  hpc: SystemName,
  order: JobOrder,
  at: Date,
): Promise<void> {
  const written = await wasWritten(
    table.client.send(
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
    ),
  );
  if (!written) throw new Error(`${order.jobId} was submitted twice`);
}

/**
 * Stores the order in an item of its own, because it may have a hundred kilobytes and every look-up
 * reads the job. Returns whether an earlier try had stored one.
 */
export async function putOrder(
  table: Table,
  hpc: SystemName,
  jobId: JobId,
  order: SimulatedOrder,
): Promise<boolean> {
  const { Attributes } = await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...simulatorOrderKey(hpc, jobId),
        type: 'simulated-order',
        schema_version: 1,
        login: order.login,
        program: order.program,
        nodes: order.nodes,
        cores_per_node: order.coresPerNode,
        input: order.input,
      },
      ReturnValues: 'ALL_OLD',
    }),
  );
  return Attributes !== undefined;
}

export async function hasJob(table: Table, hpc: SystemName, jobId: JobId): Promise<boolean> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: simulatorKey(hpc, jobId),
      ConsistentRead: true,
    }),
  );
  return Item !== undefined && Item.cancelled_at === undefined;
}

/** Restarts a job from the future: the clock was set back, and the job would stand still. */
export async function readJobs(
  table: Table,
  hpc: SystemName,
  jobIds: readonly JobId[],
  now: Date,
): Promise<ReadonlyMap<string, SimulatedJob>> {
  const items = await readItems(
    table,
    jobIds.map((jobId) => simulatorKey(hpc, jobId)),
  );
  const jobs = new Map<string, SimulatedJob>();
  for (const item of items) {
    const job = jobFromItem(item);
    const jobId = String(item.SK);
    if (job.acceptedAt > now) await restartJob(table, { PK: String(item.PK), SK: jobId }, now);
    jobs.set(jobId, { ...job, acceptedAt: job.acceptedAt > now ? now : job.acceptedAt });
  }
  return jobs;
}

async function restartJob(table: Table, Key: PrimaryKey, now: Date): Promise<void> {
  await wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression: 'SET accepted_at = :now',
        ConditionExpression: 'accepted_at > :now',
        ExpressionAttributeValues: { ':now': now.toISOString() },
      }),
    ),
  );
}

/** Reads a job with its order; undefined if it is gone. */
export async function readWholeJob(
  table: Table,
  hpc: SystemName,
  jobId: JobId,
): Promise<(SimulatedJob & SimulatedOrder) | undefined> {
  const key = simulatorKey(hpc, jobId);
  const orderKey = simulatorOrderKey(hpc, jobId);
  const items = await readItems(table, [key, orderKey]);
  const job = items.find(({ SK }) => SK === key.SK);
  const order = items.find(({ SK }) => SK === orderKey.SK);
  return job && order && { ...jobFromItem(job), ...orderFromItem(order) };
}

/** Keeps the job, so that its output can still be read. Harmless for an unknown job. */
export async function cancelJob(
  table: Table,
  hpc: SystemName,
  jobId: JobId,
  at: Date,
): Promise<void> {
  await wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: simulatorKey(hpc, jobId),
        UpdateExpression: 'SET cancelled_at = :at',
        ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(cancelled_at)',
        ExpressionAttributeValues: { ':at': at.toISOString() },
      }),
    ),
  );
}

function jobFromItem(stored: unknown): SimulatedJob {
  const { accepted_at, hours, title, cancelled_at } = parseItem(JobItem, stored);
  const cancelledAt = cancelled_at === undefined ? undefined : new Date(cancelled_at);
  return { acceptedAt: new Date(accepted_at), hours, title, cancelledAt };
}

function orderFromItem(stored: unknown): SimulatedOrder {
  const { program, nodes, cores_per_node, input, login } = parseItem(OrderItem, stored);
  return { program, nodes, coresPerNode: cores_per_node, input, login };
}
