import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
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
  let start: QueryCommandOutput['LastEvaluatedKey'];
  do {
    const { Items = [], LastEvaluatedKey }: QueryCommandOutput = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'registry',
        KeyConditionExpression: `registry = :registry${after === undefined ? '' : ' AND registry_key > :after'}`,
        ExpressionAttributeValues: {
          ':registry': registry,
          ...(after !== undefined && { ':after': registryUser(after) }),
        },
        Limit: limit - users.length,
        ExclusiveStartKey: start,
      }),
    );
    users.push(...Items.map((item) => userOfPartition(parseItem(RegistryEntry, item).PK)));
    start = LastEvaluatedKey;
  } while (start && users.length < limit);
  return { users, goesOn: start !== undefined };
}
