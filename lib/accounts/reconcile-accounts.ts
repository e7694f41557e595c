import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { judgeAccount, type Verdict } from './judge-account.ts';
import { repairAccount } from './repair-account.ts';

/** What was found of an account, and whether it has been put right. */
export interface Finding {
  readonly place: AccountKey;
  readonly verdict: Verdict;
  readonly repaired: boolean;
}

/** How many accounts are read at a time. */
const width = 16;

/** Checks accounts, in their order, and repairs what drifts where that is wanted. */
export async function reconcileAccounts(
  table: Table,
  places: readonly AccountKey[],
  { fix }: { readonly fix: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let start = 0; start < places.length; start += width) {
    const some = places.slice(start, start + width);
    findings.push(...(await Promise.all(some.map((place) => reconcile(table, place, fix)))));
  }
  return findings;
}

async function reconcile(table: Table, place: AccountKey, fix: boolean): Promise<Finding> {
  const verdict = await judgeAccount(table, place);
  if (!fix || verdict.state !== 'drifting') return { place, verdict, repaired: false };
  const repaired = await repairAccount(table, place, verdict.repair, new Date());
  return repaired
    ? { place, verdict, repaired }
    : { place, verdict: { state: 'busy' }, repaired: false };
}

/** What is wrong with an account, a line for each; nothing where nothing is known to be. */
export function explainFinding({ verdict }: Finding): string[] {
  switch (verdict.state) {
    case 'drifting':
      return verdict.repair.drifts.map(({ words }) => words);
    case 'damaged':
      return [verdict.reason];
    default:
      return [];
  }
}
