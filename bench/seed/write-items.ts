import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Table } from '#lib/table/table.ts';

/** As many as one request may have. */
const itemsPerRequest = 25;
const requestsAtOnce = 8;

/** Brings items in, past all rules, as quickly as the table takes them. */
export async function writeItems(table: Table, items: readonly object[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerRequest) }, (_, index) =>
    items.slice(index * itemsPerRequest, (index + 1) * itemsPerRequest),
  );
  await mapInParallel(batches, requestsAtOnce, async (batch) => {
    const RequestItems = { [table.name]: batch.map((Item) => ({ PutRequest: { Item } })) };
    const { UnprocessedItems = {} } = await table.client.send(
      new BatchWriteCommand({ RequestItems }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('The table refused items.');
    return [];
  });
}
