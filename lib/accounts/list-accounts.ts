import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { budgetOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { type AccountKey, quotaRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';

/**
 * Yields the accounts of projects, by project and user. That of a budget comes first. The index may miss one that was opened a moment ago. Continues after `after`, or starts again if that is in none of the projects.
 */
export async function* listAccounts(
  table: Table,
  projects: readonly Project[],
  pageSize: number,
  after?: AccountKey,
): AsyncGenerator<AccountKey[]> {
  const first = after ? projects.findIndex((project) => isIn(project, after)) : 0;
  for (const project of projects.slice(Math.max(0, first))) {
    const from = after && isIn(project, after) ? after.user : undefined;
    yield* listProject(table, project, pageSize, from);
  }
}

function isIn({ hpc, name }: Project, account: AccountKey): boolean {
  return account.hpc === hpc && account.project === name;
}

async function* listProject(
  table: Table,
  { hpc, name: project }: Project,
  pageSize: number,
  from: UserId | undefined,
): AsyncGenerator<AccountKey[]> {
  const registry = quotaRegistry({ hpc, project });
  const budget = budgetOf({ hpc, project });
  if (from === undefined && (await readQuota(table, budget))) yield [budget];
  let after = from === budgetHolder ? undefined : from;
  do {
    const { users, goesOn } = await readRegistry(table, registry, pageSize, after);
    if (users.length > 0) yield users.map((user) => ({ user, hpc, project }));
    after = goesOn ? users.at(-1) : undefined;
  } while (after !== undefined);
}

export async function countAccounts(table: Table, projects: readonly Project[]): Promise<number> {
  let accounts = 0;
  for (const { hpc, name } of projects) {
    const pages = paginateQuery(
      { client: table.client },
      {
        TableName: table.name,
        IndexName: 'registry',
        KeyConditionExpression: 'registry = :registry',
        ExpressionAttributeValues: { ':registry': quotaRegistry({ hpc, project: name }) },
        Select: 'COUNT',
      },
    );
    for await (const { Count = 0 } of pages) accounts += Count;
  }
  return accounts;
}
