import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Project } from '../catalog/hpc-system.ts';
import type { QuotaPlace } from '../quotas/quota-store.ts';
import { quotaRegistry, registryUser, userOfPartition } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Table } from '../table/table.ts';

const RegistryEntry = v.object({ PK: v.string() });

/**
 * The accounts of projects, project by project and user by user, as the registry has them: one that
 * was opened a moment ago may be missing. It goes on behind `after`, or begins at the beginning
 * where that is in none of the projects.
 */
export async function* listAccounts(
  table: Table,
  projects: readonly Project[],
  pageSize: number,
  after?: QuotaPlace,
): AsyncGenerator<QuotaPlace[]> {
  const position = projects.findIndex((project) => isIn(project, after));
  for (const project of projects.slice(Math.max(0, position))) {
    const from = isIn(project, after) ? after?.user : undefined;
    yield* listProject(table, project, pageSize, from);
  }
}

function isIn(project: Project, place: QuotaPlace | undefined): boolean {
  return place?.hpc === project.hpc && place.project === project.name;
}

async function* listProject(
  table: Table,
  { hpc, name: project }: Project,
  pageSize: number,
  after: string | undefined,
): AsyncGenerator<QuotaPlace[]> {
  let start: QueryCommandOutput['LastEvaluatedKey'];
  do {
    const { Items = [], LastEvaluatedKey }: QueryCommandOutput = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: 'registry',
        KeyConditionExpression: `registry = :registry${after === undefined ? '' : ' AND registry_key > :after'}`,
        ExpressionAttributeValues: {
          ':registry': quotaRegistry(hpc, project),
          ...(after !== undefined && { ':after': registryUser(after) }),
        },
        Limit: pageSize,
        ExclusiveStartKey: start,
      }),
    );
    const users = Items.map((item) => userOfPartition(parseItem(RegistryEntry, item).PK));
    if (users.length > 0) yield users.map((user) => ({ user, hpc, project }));
    start = LastEvaluatedKey;
  } while (start);
}

/** How many accounts there are. */
export async function countAccounts(table: Table, projects: readonly Project[]): Promise<number> {
  let accounts = 0;
  for (const { hpc, name } of projects) {
    let start: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const { Count = 0, LastEvaluatedKey }: QueryCommandOutput = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'registry',
          KeyConditionExpression: 'registry = :registry',
          ExpressionAttributeValues: { ':registry': quotaRegistry(hpc, name) },
          Select: 'COUNT',
          ExclusiveStartKey: start,
        }),
      );
      accounts += Count;
      start = LastEvaluatedKey;
    } while (start);
  }
  return accounts;
}
