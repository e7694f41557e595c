import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Table } from '#lib/table/table.ts';
import { listAccounts } from './list-accounts.ts';
import { readProgress, saveProgress } from './progress-store.ts';
import { type Finding, reconcileAccounts } from './reconcile-accounts.ts';

/** Progress is noted, and time looked at, after so many accounts. */
const accountsAtATime = 100;

/** No page is begun after this, so that the walk has ended before its function is ended. */
const walkMs = 35_000;

/**
 * Looks at accounts and repairs nothing. What it has no time for is left to the next walk, which
 * goes on where this one ended. Tells how many accounts are wrong.
 */
export async function watchAccounts(
  table: Table,
  { systems }: Catalog,
  onWrong: (finding: Finding) => void,
  { clock = Date.now, pageSize = accountsAtATime } = {},
): Promise<number> {
  const stopAt = clock() + walkMs;
  const projects = systems.flatMap((system) => system.projects);
  let wrong = 0;
  const after = await readProgress(table);
  for await (const page of listAccounts(table, projects, pageSize, after)) {
    const findings = await reconcileAccounts(table, page, { fix: false });
    for (const finding of findings.filter(isWrong)) {
      wrong += 1;
      onWrong(finding);
    }
    await saveProgress(table, page.at(-1));
    if (clock() > stopAt) return wrong;
  }
  await saveProgress(table, undefined);
  return wrong;
}

function isWrong({ verdict }: Finding): boolean {
  return verdict.state === 'drifting' || verdict.state === 'damaged';
}
