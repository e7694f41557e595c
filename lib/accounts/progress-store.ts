import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type AccountKey, reconciliationKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredProjectName, StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';

const ProgressItem = v.object({
  type: v.literal('reconciliation'),
  schema_version: v.literal(1),
  after: v.optional(
    v.object({ user: StoredUserId, hpc: StoredSystemName, project_name: StoredProjectName }),
  ),
});

/** The last account that was looked at; nothing where the next walk begins at the beginning. */
export async function readProgress(table: Table): Promise<AccountKey | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: reconciliationKey(), ConsistentRead: true }),
  );
  const after = Item && parseItem(ProgressItem, Item).after;
  return after && { user: after.user, hpc: after.hpc, project: after.project_name };
}

export async function saveProgress(table: Table, after: AccountKey | undefined): Promise<void> {
  const item: v.InferInput<typeof ProgressItem> = {
    type: 'reconciliation',
    schema_version: 1,
    ...(after && { after: { user: after.user, hpc: after.hpc, project_name: after.project } }),
  };
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { ...reconciliationKey(), ...item } }),
  );
}
