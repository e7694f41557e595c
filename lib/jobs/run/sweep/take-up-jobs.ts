import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused } from '#lib/table/writes/was-written.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { type NoteFailure, readJobsOf } from './read-lives.ts';
import type { LivingJob, Sweep } from './sweep.ts';

/** Below a minute, so that what one sweep took up is due when the next one begins. */
const shortestLeaseSeconds = 50;

/** As many as there are connections: more would wait for one until they time out. */
const parallelWrites = 50;

/** Jobs that are read together; where the table is too busy for them, all of them wait. */
const jobsPerRead = 100;

/** For this long nobody else takes up what a sweep has taken up, and nobody may look again. */
export function leaseSeconds({ pollFloorSeconds }: Connector): number {
  return Math.max(shortestLeaseSeconds, pollFloorSeconds);
}

/**
 * Leases those of the due jobs that nobody else took up first. One that cannot be taken up, or
 * cannot be read then, keeps no other from its turn, and is due again at the latest after a lease.
 */
export async function takeUpJobs(
  { table, connector, now }: Pick<Sweep, 'table' | 'connector' | 'now'>,
  due: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<LivingJob[]> {
  const until = addSeconds(now(), leaseSeconds(connector));
  const skip = (error: unknown): [] => {
    noteFailure(error);
    return [];
  };
  const lives = await mapInParallel(due, parallelWrites, (key) =>
    takeUpLife(table, key, until).catch(skip),
  );
  const taken: LivingJob[] = [];
  for (const batch of splitIntoBatches(lives.flat(), jobsPerRead)) {
    taken.push(...(await readJobsOf(table, batch, noteFailure).catch(skip)));
  }
  return taken;
}

/**
 * None where another sweep was first. The condition is on the very moment that was read: the index
 * lags behind, and two sweeps may read the same entry.
 */
async function takeUpLife(
  table: Table,
  { PK, SK, dueAt }: DueKey,
  until: Date,
): Promise<Record<string, unknown>[]> {
  const written = await unlessRefused(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: 'SET due_at = :until ADD attempts :one',
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: {
          ':until': until.toISOString(),
          ':seen': dueAt,
          ':one': 1,
        },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written?.Attributes ? [written.Attributes] : [];
}
