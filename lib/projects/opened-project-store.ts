import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { openedProjectKey, openedProjects, type ProjectKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads/read-item.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { ProjectChangedError } from './errors.ts';
import type { OpenedProject } from './opened-project.ts';
import { openedProjectFromItem, openedProjectToItem } from './opened-project-item.ts';

export async function readOpenedProject(
  table: Table,
  project: ProjectKey,
): Promise<OpenedProject | undefined> {
  const stored = await readItem(table, openedProjectKey(project));
  return stored && openedProjectFromItem(stored);
}

/** Reads all opened projects by number, including closed ones. */
export async function readOpenedProjects(table: Table): Promise<OpenedProject[]> {
  const projects: OpenedProject[] = [];
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'PK = :projects',
      ExpressionAttributeValues: { ':projects': openedProjects },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) projects.push(...Items.map(openedProjectFromItem));
  return projects.sort((a, b) => a.number - b.number);
}

/** Saves a project only if it is still as it was read, or still missing. */
export function saveProject(before: OpenedProject | undefined, after: OpenedProject): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: openedProjectToItem(after),
        ...(before
          ? {
              ConditionExpression: 'revision = :seen',
              ExpressionAttributeValues: { ':seen': before.revision },
            }
          : { ConditionExpression: 'attribute_not_exists(PK)' }),
      },
    }),
    refuse: () => new ProjectChangedError(),
  };
}
