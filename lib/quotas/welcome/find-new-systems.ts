import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type AccountKey, ledgerPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Profile } from '#lib/users/profile.ts';

/** Of these systems those on which somebody who has been seen was not welcomed yet. */
export async function findNewSystems(
  table: Table,
  systems: readonly HpcSystem[],
  { user, welcomedOn }: Profile,
): Promise<readonly HpcSystem[]> {
  if (welcomedOn) return systems.filter(({ name }) => !welcomedOn.includes(name));
  // Before systems were noted a welcome left its trace in the ledger, which outlives the quota.
  const known = await mapInParallel(
    systems,
    width,
    (system) => hasLedgers(table, user, system),
    // Whoever asks is to hear what is wrong, and not how often.
    { stopAtFailure: true },
  );
  return systems.filter((_, index) => !known[index]);
}

const width = 8;

/** In any of its projects: which one was the default then, nobody knows. */
async function hasLedgers(table: Table, user: UserId, { name: hpc, projects }: HpcSystem) {
  for (const { name: project } of projects) {
    if (await hasLedger(table, { user, hpc, project })) return true;
  }
  return false;
}

async function hasLedger(table: Table, account: AccountKey): Promise<boolean> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :ledger',
      ExpressionAttributeValues: { ':ledger': ledgerPartition(account) },
      ConsistentRead: true,
      Limit: 1,
    }),
  );
  return Items.length > 0;
}
