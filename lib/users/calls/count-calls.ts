import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { callCountKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Table } from '#lib/table/table.ts';

/** Calls of one user at one endpoint, in one minute. */
export interface CallCount {
  readonly user: UserId;
  readonly endpoint: string;
  readonly minute: Date;
}

const CountItem = v.object({ calls: v.number() });

/** A count is of use for a minute; clocks differ by less than the rest. */
const keptSeconds = 600;

/** Adds some calls, and tells how many there are with those that others have added. */
export async function countCalls(
  table: Table,
  { user, endpoint, minute }: CallCount,
  calls: number,
): Promise<number> {
  const { Attributes } = await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: callCountKey(user, minute, endpoint),
      UpdateExpression:
        'SET #type = :type, schema_version = :version, expires_at = :end ADD calls :calls',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: {
        ':type': 'call-count',
        ':version': 1,
        ':end': Math.floor(minute.getTime() / 1000) + keptSeconds,
        ':calls': calls,
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return parseItem(CountItem, Attributes).calls;
}
