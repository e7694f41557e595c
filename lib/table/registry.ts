import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { type PrimaryKey, registryUser, userOfPartition } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { queryPage } from './reads.ts';
import type { Table } from './table.ts';

const RegistryEntry = v.object({ PK: v.string(), SK: v.string() });

/**
 * Lists the users in a partition of the registry by number, after a user or from the start. The index lags a
 * moment behind, so a user who was just added may be missing.
 */
export async function readRegistry(
  table: Table,
  registry: string,
  limit: number,
  after?: UserId,
): Promise<{ readonly users: readonly UserId[]; readonly goesOn: boolean }> {
  const place = after === undefined ? undefined : registryUser(after);
  const { keys, goesOn } = await readRegistryKeys(table, registry, limit, place);
  return { users: keys.map(({ PK }) => userOfPartition(PK)), goesOn };
}

/** Lists the keys in a partition of the registry whose places begin so. */
export async function readRegistryPrefix(
  table: Table,
  registry: string,
  prefix: string,
  limit: number,
): Promise<readonly PrimaryKey[]> {
  const { Items } = await queryPage(table, {
    IndexName: 'registry',
    KeyConditionExpression: 'registry = :registry AND begins_with(registry_key, :prefix)',
    ExpressionAttributeValues: { ':registry': registry, ':prefix': prefix },
    Limit: limit,
  });
  return Items.map((item) => parseItem(RegistryEntry, item));
}

/** Lists the keys in a partition of the registry, after a place or from the start. */
export async function readRegistryKeys(
  table: Table,
  registry: string,
  limit: number,
  after?: string,
): Promise<{ readonly keys: readonly PrimaryKey[]; readonly goesOn: boolean }> {
  const keys: PrimaryKey[] = [];
  const pages = paginateQuery(
    { client: table.client, pageSize: limit },
    {
      TableName: table.name,
      IndexName: 'registry',
      KeyConditionExpression: `registry = :registry${after === undefined ? '' : ' AND registry_key > :after'}`,
      ExpressionAttributeValues: {
        ':registry': registry,
        ...(after !== undefined && { ':after': after }),
      },
    },
  );
  for await (const { Items = [], LastEvaluatedKey } of pages) {
    keys.push(...Items.map((item) => parseItem(RegistryEntry, item)));
    const goesOn = LastEvaluatedKey !== undefined || keys.length > limit;
    if (keys.length >= limit) return { keys: keys.slice(0, limit), goesOn };
  }
  return { keys, goesOn: false };
}
