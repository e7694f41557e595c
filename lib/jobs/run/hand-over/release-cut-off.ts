import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';
import { walkWaiting } from './walk-waiting.ts';

/**
 * For a process that is alone with its table, before it hands anything over: what the one before
 * it had begun and not ended is due at once. Returns how many those are.
 */
export async function releaseCutOff(table: Table, hpc: SystemName, now: Date): Promise<number> {
  return walkWaiting(table, hpc, (life) => releaseOne(table, life, now));
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
