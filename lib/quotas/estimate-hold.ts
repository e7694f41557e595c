import type { Table } from '#lib/table/table.ts';
import { judgeDraw, type Payment } from './draws.ts';
import { NoBudgetError, NoQuotaError } from './errors.ts';
import { type HoldRules, judgeHold } from './holds.ts';
import { type Amount, budgetOf, type Hold, nothing, type Quota } from './quota.ts';
import { readQuota } from './quota-store.ts';

/** What would remain after a hold, and how many jobs would be active. */
interface EstimatedHold {
  readonly left: Amount;
  readonly activeJobs: number;
}

/**
 * Judges a hold by the rules of holdSteps, and throws the same refusal. `quota` is the user's own,
 * as a submission would find it.
 */
export async function estimateHold(
  table: Table,
  { account, drawn }: Payment,
  quota: Quota | undefined,
  hold: Hold,
  rules: HoldRules,
): Promise<EstimatedHold> {
  const refusal = judgeHold(account, quota, drawn ? nothing : hold, rules);
  if (refusal || !quota) throw refusal ?? new NoQuotaError(account);
  const payer = drawn ? await readQuota(table, budgetOf(account)) : quota;
  const refused = drawn && judgeDraw(account, payer, hold, rules.now);
  if (refused || !payer) throw refused || new NoBudgetError(account);
  return {
    left: {
      seconds: payer.time.left - hold.seconds,
      kilobytes: payer.space.left - hold.kilobytes,
    },
    activeJobs: quota.activeJobs + (rules.jobs ?? 1),
  };
}
