import * as v from 'valibot';
import type { JobId, SystemName } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { attribute, defineItem, moment, number, optional, text } from '#lib/table/define-item.ts';
import {
  type PrimaryKey,
  simulatorKey,
  simulatorOrderKey,
  simulatorPartition,
} from '#lib/table/keys.ts';
import { queryPage, readItem, readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { changeIf, putItem, wasWritten } from '#lib/table/writes.ts';
import type { JobOrder } from '../connector.ts';
import type { SimulatedJob } from './simulated-job.ts';
import type { SimulatedOrder } from './write-output.ts';

const storedJob = defineItem('simulated-job', () => ({
  acceptedAt: moment('accepted_at'),
  hours: number('hours'),
  title: text('title'),
  cancelledAt: optional(moment('cancelled_at')),
}));

const storedOrder = defineItem('simulated-order', () => ({
  login: optional(text('login')),
  program: text('program'),
  nodes: number('nodes'),
  coresPerNode: number('cores_per_node'),
  environment: optional(attribute('environment', v.record(v.string(), v.string()))),
  input: attribute(
    'input',
    v.union([
      v.picklist(['none', 'unreadable']),
      v.object({
        files: v.pipe(v.array(v.object({ name: v.string(), bytes: v.number() })), v.readonly()),
        more: v.number(),
      }),
    ]),
  ),
}));

/** True if the simulator has had a job of the system, even if that is of another kind by now. */
export async function hasSimulated(table: Table, hpc: SystemName): Promise<boolean> {
  const { Items } = await queryPage(table, {
    KeyConditionExpression: 'PK = :simulator',
    ExpressionAttributeValues: { ':simulator': simulatorPartition(hpc) },
    Limit: 1,
  });
  return Items.length > 0;
}

/** Fails for a job that is sent twice, which would be two jobs on a real system. */
export async function putJob(
  table: Table,
  hpc: SystemName,
  order: JobOrder,
  at: Date,
): Promise<void> {
  const written = await wasWritten(
    putItem(table, {
      Item: {
        ...simulatorKey(hpc, order.jobId),
        ...storedJob.format({ acceptedAt: at, hours: order.hours, title: order.title }),
      },
      ...ifMissing,
    }),
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
  const { Attributes } = await putItem(table, {
    Item: { ...simulatorOrderKey(hpc, jobId), ...storedOrder.format(order) },
    ReturnValues: 'ALL_OLD',
  });
  return Attributes !== undefined;
}

export async function hasJob(table: Table, hpc: SystemName, jobId: JobId): Promise<boolean> {
  const job = await readItem(table, simulatorKey(hpc, jobId), storedJob.parse);
  return job !== undefined && job.cancelledAt === undefined;
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
    const job = storedJob.parse(item);
    const jobId = String(item.SK);
    if (job.acceptedAt > now) await restartJob(table, { PK: String(item.PK), SK: jobId }, now);
    jobs.set(jobId, { ...job, acceptedAt: job.acceptedAt > now ? now : job.acceptedAt });
  }
  return jobs;
}

async function restartJob(table: Table, Key: PrimaryKey, now: Date): Promise<void> {
  await changeIf(table, Key, {
    set: { accepted_at: now.toISOString() },
    when: ['accepted_at > :accepted_at'],
  });
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
  return job && order && { ...storedJob.parse(job), ...storedOrder.parse(order) };
}

/** Keeps the job, so that its output can still be read. Harmless for an unknown job. */
export async function cancelJob(
  table: Table,
  hpc: SystemName,
  jobId: JobId,
  at: Date,
): Promise<void> {
  await changeIf(table, simulatorKey(hpc, jobId), {
    set: { cancelled_at: at.toISOString() },
    expect: { cancelled_at: undefined },
    when: ['attribute_exists(PK)'],
  });
}
