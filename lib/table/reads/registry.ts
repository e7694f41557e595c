import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { registryUser, userOfPartition } from '../keys.ts';
import { parseItem } from '../parse-item.ts';
import type { Table } from '../table.ts';

const RegistryEntry = v.object({ PK: v.string() });

export interface RegistryPage {
  /** In the order of their numbers. */
  readonly users: readonly UserId[];
  readonly goesOn: boolean;
}

/**
 * Who is in a partition of the registry, behind a user or from the beginning. The index may be a
 * moment behind: whoever came a moment ago may be missing.
 */
export async function readRegistry(
  table: Table,
  registry: string,
  limit: number,
  after?: UserId,
): Promise<RegistryPage> {
  const users: UserId[] = [];
  const pages = paginateQuery(
    { client: table.client, pageSize: limit },
    {
      TableName: table.name,
      IndexName: 'registry',
      KeyConditionExpression: `registry = :registry${after === undefined ? '' : ' AND registry_key > :after'}`,
      ExpressionAttributeValues: {
        ':registry': registry,
        ...(after !== undefined && { ':after': registryUser(after) }),
      },
    },
  );
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    users.push(...Items.map((item) => userOfPartition(parseItem(RegistryEntry, item).PK)));
    const goesOn = LastEvaluatedKey !== undefined || users.length > limit;
    if (users.length >= limit) return { users: users.slice(0, limit), goesOn };
  }
  return { users, goesOn: false };
}
