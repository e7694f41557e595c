import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { writeChange } from '#lib/table/change.ts';
import { callCountKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { shareTable } from '#lib/table/share-table.ts';
import type { Table } from '#lib/table/table.ts';
import { updateItem } from '#lib/table/writes.ts';

export type CallCounter = (count: CallCount, calls: number) => Promise<number>;

/**
 * Counts a caller's calls over all containers of a function. A function without a table has no
 * counter, and its bundle leaves out the SDK (infra/constructs/functions/stand-ins.ts).
 */
export function openCallCounter(tableName: string | undefined): CallCounter | undefined {
  if (tableName === undefined) return undefined;
  const table = shareTable(tableName);
  return (count, calls) => countCalls(table, count, calls);
}

/** The calls of one user to one endpoint in one minute. */
interface CallCount {
  readonly user: UserId;
  readonly endpoint: string;
  readonly minute: Date;
}

const CountItem = v.object({ calls: v.number() });

/** A count is used for a minute. The rest allows for clocks that differ. */
const keptSeconds = 600;

/** Adds calls to a count and returns the total of all containers. */
export async function countCalls(
  table: Table,
  { user, endpoint, minute }: CallCount,
  calls: number,
): Promise<number> {
  const { Attributes } = await updateItem(table, {
    Key: callCountKey(user, minute, endpoint),
    ...writeChange({
      set: {
        type: 'call-count',
        schema_version: 1,
        expires_at: Math.floor(minute.getTime() / 1000) + keptSeconds,
      },
      add: { calls },
    }),
    ReturnValues: 'ALL_NEW',
  });
  return parseItem(CountItem, Attributes).calls;
}
