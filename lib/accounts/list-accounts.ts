import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, quotaRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/reads/registry.ts';
import type { Table } from '#lib/table/table.ts';

/**
 * The accounts of projects, project by project and user by user, as the registry has them: one that
 * was opened a moment ago may be missing. It goes on behind `after`, or begins at the beginning
 * where that is in none of the projects.
 */
export async function* listAccounts(
  table: Table,
  projects: readonly Project[],
  pageSize: number,
  after?: AccountKey,
): AsyncGenerator<AccountKey[]> {
  const position = projects.findIndex((project) => isIn(project, after));
  for (const project of projects.slice(Math.max(0, position))) {
    const from = isIn(project, after) ? after?.user : undefined;
    yield* listProject(table, project, pageSize, from);
  }
}

function isIn(project: Project, account: AccountKey | undefined): boolean {
  return account?.hpc === project.hpc && account.project === project.name;
}

async function* listProject(
  table: Table,
  { hpc, name: project }: Project,
  pageSize: number,
  from: UserId | undefined,
): AsyncGenerator<AccountKey[]> {
  const registry = quotaRegistry({ hpc, project });
  let after = from;
  for (let goesOn = true; goesOn; ) {
    const page = await readRegistry(table, registry, pageSize, after);
    if (page.users.length > 0) yield page.users.map((user) => ({ user, hpc, project }));
    after = page.users.at(-1) ?? after;
    goesOn = page.goesOn;
  }
}

/** How many accounts there are. */
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
