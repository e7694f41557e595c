import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { type AccountKey, reconciliationKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads/read-item.ts';
import { StoredProjectName, StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { listAccounts } from './list-accounts.ts';
import { accountsAtATime, type Finding, reconcileAccounts } from './reconcile-accounts.ts';

/** How many names are read at once. */
const namesAtATime = 100;

/** No group starts after this, and no account takes longer. Together that is less than a minute. */
const longestWalkMs = 35_000;
const accountMs = 15_000;

/**
 * Checks accounts without repairing them, and returns how many are wrong. The next run continues
 * where this one ended. The position is saved after every group, so even a killed run makes
 * progress, and an account that is too long to read does not block the rest.
 */
export async function watchAccounts(
  table: Table,
  { systems }: Catalog,
  onFinding: (finding: Finding) => void,
  {
    clock = Date.now,
    walkMs = longestWalkMs,
    pageSize = namesAtATime,
    groupSize = accountsAtATime,
  } = {},
): Promise<number> {
  const stopAt = clock() + walkMs;
  const projects = await listProjects(table, systems);
  let wrong = 0;
  const after = await readProgress(table);
  for await (const page of listAccounts(table, projects, pageSize, after)) {
    for (const group of splitIntoBatches(page, groupSize)) {
      const findings = await reconcileAccounts(table, group, { fix: false, accountMs, clock });
      for (const finding of findings.filter(isWorthTelling)) onFinding(finding);
      wrong += findings.filter(isWrong).length;
      await saveProgress(table, group.at(-1));
      if (clock() > stopAt) return wrong;
    }
  }
  await saveProgress(table, undefined);
  return wrong;
}

function isWrong({ verdict }: Finding): boolean {
  return verdict.state === 'drifting' || verdict.state === 'damaged';
}

function isWorthTelling(finding: Finding): boolean {
  return isWrong(finding) || finding.verdict.state === 'too-long';
}

const ProgressItem = v.object({
  type: v.literal('reconciliation'),
  schema_version: v.literal(1),
  after: v.optional(
    v.object({ user: StoredUserId, hpc: StoredSystemName, project_name: StoredProjectName }),
  ),
});

/** Returns the last account that was checked, or undefined to start from the beginning. */
export async function readProgress(table: Table): Promise<AccountKey | undefined> {
  const stored = await readItem(table, reconciliationKey());
  const after = stored && parseItem(ProgressItem, stored).after;
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
