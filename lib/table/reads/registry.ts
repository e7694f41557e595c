import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { type PrimaryKey, registryUser, userOfPartition } from '../keys.ts';
import { parseItem } from '../parse-item.ts';
import type { Table } from '../table.ts';

const RegistryEntry = v.object({ PK: v.string(), SK: v.string() });

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
  const place = after === undefined ? undefined : registryUser(after);
  const { keys, goesOn } = await readRegistryKeys(table, registry, limit, place);
  return { users: keys.map(({ PK }) => userOfPartition(PK)), goesOn };
}

/** What is in a partition of the registry, behind a place or from the beginning. */
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
