import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { wasWritten } from '#lib/table/writes/was-written.ts';
import { walkWaiting } from './walk-waiting.ts';

/**
 * For a table that is older than the systems: a job that nobody has taken up there may have been
 * handed over since. It counts as taken up once, so that its system is asked for it first; handed
 * over unasked it would run twice. Returns how many those are.
 */
export async function doubtWaiting(table: Table, hpc: SystemName): Promise<number> {
  return walkWaiting(table, hpc, ({ PK, SK }) =>
    wasWritten(
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: { PK, SK },
          UpdateExpression: 'SET attempts = :once',
          ConditionExpression: 'attempts = :never',
          ExpressionAttributeValues: { ':once': 1, ':never': 0 },
        }),
      ),
    ),
  );
}
