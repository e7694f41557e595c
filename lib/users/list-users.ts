import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { profileKey, registryUser, userOfPartition, userRegistry } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import { readItems } from '../table/read-items.ts';
import type { Table } from '../table/table.ts';
import type { Profile } from './profile.ts';
import { profileFromItem } from './profile-item.ts';

export interface UserPage {
  readonly users: readonly Profile[];
  /** The user behind whom the list goes on, where it does. */
  readonly next: string | undefined;
}

const RegistryEntry = v.object({ PK: v.string() });

/**
 * In the order of their numbers. The registry, which may be a moment behind, says who there is;
 * what is said of each is read from the table itself. At most 100 at once, at the cost of the page.
 */
export async function listUsers(table: Table, limit: number, after?: string): Promise<UserPage> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'registry',
      KeyConditionExpression: `registry = :users${after === undefined ? '' : ' AND registry_key > :after'}`,
      ExpressionAttributeValues: {
        ':users': userRegistry,
        ...(after !== undefined && { ':after': registryUser(after) }),
      },
      Limit: limit,
    }),
  );
  const names = Items.map((item) => userOfPartition(parseItem(RegistryEntry, item).PK));
  const profiles = await readItems(table, names.map(profileKey));
  return {
    users: profiles.map(profileFromItem),
    next: LastEvaluatedKey && names.at(-1),
  };
}
