import * as v from 'valibot';
import { type CounterName, counterKey } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { readItem } from './reads.ts';
import type { Table } from './table.ts';
import { unlessRefused, updateItem } from './writes.ts';

const Counter = v.object({ value: v.number() });

function counterFromItem(stored: unknown): number {
  return parseItem(Counter, stored).value;
}

/**
 * Takes `count` fresh record numbers and returns the first. The update is atomic, but outside of
 * any transaction. Inside one, all submissions of all users would conflict on this item. The price
 * is gaps if the record is refused afterwards (docs/decisions/0005).
 */
export async function takeNumbers(table: Table, name: CounterName, count = 1): Promise<number> {
  const { Attributes } = await updateItem(table, {
    Key: counterKey(name),
    UpdateExpression: 'ADD #value :count',
    ExpressionAttributeNames: { '#value': 'value' },
    ExpressionAttributeValues: { ':count': count },
    ReturnValues: 'UPDATED_NEW',
  });
  return counterFromItem(Attributes) - count + 1;
}

/** Returns the last number that was taken, or 0 if none was. */
export async function readCounter(table: Table, name: CounterName): Promise<number> {
  return (await readItem(table, counterKey(name), counterFromItem)) ?? 0;
}

/** Makes sure that `number` is never taken again, for records imported with their numbers. */
export async function raiseCounter(table: Table, name: CounterName, number: number): Promise<void> {
  await unlessRefused(
    updateItem(table, {
      Key: counterKey(name),
      UpdateExpression: 'SET #value = :number',
      ConditionExpression: 'attribute_not_exists(#value) OR #value < :number',
      ExpressionAttributeNames: { '#value': 'value' },
      ExpressionAttributeValues: { ':number': number },
    }),
  );
}
