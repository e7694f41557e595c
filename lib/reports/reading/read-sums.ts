import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { behindPlace, dayRange } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type StoredSum, sumFromItem } from '../usage-item.ts';
import type { Period } from './period.ts';

/** The days of a user, or of a project. */
export async function readDays(
  table: Table,
  partition: string,
  { since, until }: Period,
): Promise<StoredSum[]> {
  const { from, to } = dayRange(since, until);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'PK = :days AND SK BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':days': partition, ':from': from, ':to': to },
      ConsistentRead: true,
    },
  );
  const sums: StoredSum[] = [];
  for await (const { Items = [] } of pages) sums.push(...Items.map(sumFromItem));
  return sums;
}

/** The sums of a month in the order of their places, at the cost of those that are taken. */
export async function* walkMonth(
  table: Table,
  partition: string,
  after: string | undefined,
  pageSize: number | undefined,
): AsyncGenerator<StoredSum> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: `PK = :month${after === undefined ? '' : ' AND SK > :after'}`,
      ExpressionAttributeValues: {
        ':month': partition,
        ...(after !== undefined && { ':after': behindPlace(after) }),
      },
      ConsistentRead: true,
      Limit: pageSize,
    },
  );
  for await (const { Items = [] } of pages) yield* Items.map(sumFromItem);
}
