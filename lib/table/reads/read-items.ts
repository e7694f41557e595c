import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { TableBusyError } from '../errors.ts';
import type { PrimaryKey } from '../keys.ts';
import type { Table } from '../table.ts';

type StoredItem = Readonly<Record<string, unknown>>;

/** What one BatchGetItem takes. */
export const maxKeys = 100;

const maxRounds = 6;

/**
 * Items by their keys, consistent, in the order of the keys and without those that are gone. What
 * the table leaves out under load is asked for again, a bounded number of times.
 */
export async function readItems(
  table: Table,
  keys: readonly PrimaryKey[],
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<StoredItem[]> {
  const found = new Map<string, StoredItem>();
  let missing: Record<string, unknown>[] = keys.map(({ PK, SK }) => ({ PK, SK }));
  for (let round = 0; missing.length > 0; round += 1) {
    if (round === maxRounds) throw new TableBusyError();
    if (round > 0) await pause(25 * 2 ** round * Math.random());
    const { Responses = {}, UnprocessedKeys = {} } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: missing, ConsistentRead: true } },
      }),
    );
    for (const item of Responses[table.name] ?? []) found.set(nameOf(item), item);
    missing = UnprocessedKeys[table.name]?.Keys ?? [];
  }
  return keys.flatMap((key) => {
    const item = found.get(nameOf({ ...key }));
    return item ? [item] : [];
  });
}

function nameOf({ PK, SK }: StoredItem): string {
  return JSON.stringify([PK, SK]);
}
