import { behindPlace, dayRange } from '#lib/table/keys.ts';
import { queryAll, queryPages } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Period } from './period.ts';
import { type StoredSum, sumFromItem } from './usage-item.ts';

export async function readDays(
  table: Table,
  partition: string,
  { since, until }: Period,
): Promise<StoredSum[]> {
  const { from, to } = dayRange(since, until);
  const query = {
    KeyConditionExpression: 'PK = :days AND SK BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':days': partition, ':from': from, ':to': to },
    ConsistentRead: true,
  };
  return queryAll(table, query, sumFromItem);
}

/**
 * Yields the sums of a month in the order of their places. Pages that are not consumed are not
 * read.
 */
export async function* walkMonth(
  table: Table,
  partition: string,
  after: string | undefined,
  pageSize: number | undefined,
): AsyncGenerator<StoredSum> {
  const query = {
    KeyConditionExpression: `PK = :month${after === undefined ? '' : ' AND SK > :after'}`,
    ExpressionAttributeValues: {
      ':month': partition,
      ...(after !== undefined && { ':after': behindPlace(after) }),
    },
    ConsistentRead: true,
    Limit: pageSize,
  };
  for await (const sums of queryPages(table, query, sumFromItem)) yield* sums;
}

export interface Party {
  /** The sort key. */
  readonly place: string;
  readonly sums: readonly StoredSum[];
}

/** Merges several months, each sorted by place, into one sorted list of parties. */
export async function* walkParties(
  months: readonly AsyncGenerator<StoredSum>[],
  placeOf: (sum: StoredSum) => string,
): AsyncGenerator<Party> {
  const heads = await Promise.all(months.map((month) => takeNext(month)));
  for (;;) {
    const places = heads.flatMap((head) => (head ? [placeOf(head)] : []));
    const [place] = places.sort();
    if (place === undefined) return;
    const sums: StoredSum[] = [];
    for (const [index, month] of months.entries()) {
      for (let head = heads[index]; head && placeOf(head) === place; head = heads[index]) {
        sums.push(head);
        heads[index] = await takeNext(month);
      }
    }
    yield { place, sums };
  }
}

async function takeNext(month: AsyncGenerator<StoredSum>): Promise<StoredSum | undefined> {
  const next = await month.next();
  return next.done ? undefined : next.value;
}
