import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#lib/table/table.ts';

type Item = Record<string, unknown>;

/** Every item of a type, or of the whole table, in the order of their types. */
export async function listItems({ client, name }: Table, type?: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name })) {
    items.push(...Items.filter((item) => type === undefined || item.type === type));
  }
  return items.toSorted((a, b) => String(a.type).localeCompare(String(b.type)));
}

const longAgo = '2026-01-01T00:00:00.000Z';

/** Lets what waits for its moment have waited long enough. */
export async function makeDue(table: Table, type: string): Promise<void> {
  for (const item of await listItems(table, type)) {
    if (item.due_at === undefined) continue;
    const Item = { ...item, due_at: longAgo, ...('open_until' in item && { open_until: 1 }) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
}

/** How many of them nobody has taken up since. */
export async function countLeft(table: Table, type: string): Promise<number> {
  const items = await listItems(table, type);
  return items.filter(({ due_at }) => due_at === longAgo).length;
}

/** When the first job is due to be handed over, if it is. */
export async function findDue(table: Table): Promise<Date | undefined> {
  const [first] = (await listItems(table, 'job-life'))
    .flatMap(({ due_at }) => (typeof due_at === 'string' ? [due_at] : []))
    .toSorted();
  return first === undefined ? undefined : new Date(first);
}
