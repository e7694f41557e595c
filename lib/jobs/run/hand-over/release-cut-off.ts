import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { listHandOverShards } from '#lib/table/keys.ts';
import { type DueKey, walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';

/** Later than any lease. */
const everything = new Date('9999-01-01T00:00:00Z');

const pageSize = 250;
const parallelWrites = 25;

/**
 * For a process that is alone with its table, before it hands anything over: what the one before
 * it had begun and not ended is due at once. Returns how many those are.
 */
export async function releaseCutOff(table: Table, hpc: SystemName, now: Date): Promise<number> {
  let released = 0;
  for await (const page of walkDue(table, listHandOverShards(hpc), everything, pageSize)) {
    await mapInParallel(page, parallelWrites, async (key) => {
      if (await releaseOne(table, key, now)) released += 1;
    });
  }
  return released;
}

/** One that waits for its turn, or for its system, keeps its moment. */
function releaseOne(table: Table, { PK, SK, dueAt }: DueKey, now: Date): Promise<boolean> {
  return wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: 'SET due_at = :now',
        ConditionExpression: 'due_at = :seen AND due_at > :now AND attribute_exists(trying_since)',
        ExpressionAttributeValues: { ':now': now.toISOString(), ':seen': dueAt },
      }),
    ),
  );
}
