import type { Catalog } from '#lib/catalog/catalog.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { defineItem, map, optional } from '#lib/table/define-item.ts';
import { type AccountKey, reconciliationKey } from '#lib/table/keys.ts';
import { projectKeyFields, userField } from '#lib/table/named-fields.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
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
      for (const finding of findings.filter(
        (each) => isWrong(each) || each.verdict.state === 'too-long',
      ))
        onFinding(finding);
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

const storedProgress = defineItem('reconciliation', () => ({
  after: optional(map('after', { user: userField(), ...projectKeyFields() })),
}));

/** Returns the last account that was checked, or undefined to start from the beginning. */
export async function readProgress(table: Table): Promise<AccountKey | undefined> {
  return (await readItem(table, reconciliationKey(), storedProgress.parse))?.after;
}

export async function saveProgress(table: Table, after: AccountKey | undefined): Promise<void> {
  await putItem(table, { Item: { ...reconciliationKey(), ...storedProgress.format({ after }) } });
}
