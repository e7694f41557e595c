import type { StoredLine } from '#lib/quotas/ledger.ts';
import type { BalancedLine } from '#lib/quotas/read-ledger.ts';
import { type LedgerSum, sumByDay, sumByJob } from '#lib/quotas/sum-ledger.ts';
import { presentAmount } from './present-quota.ts';
import { float } from './values.ts';

/** Shows milliseconds, because lines are sorted by them. */
export function presentLine(line: BalancedLine) {
  return {
    at: line.at.toISOString(),
    kind: line.kind,
    ...presentAmount(line),
    time_left: line.left.seconds,
    space_left: float(line.left.kilobytes),
    by: line.by,
    reason: line.reason,
    job_id: line.jobId ?? null,
    act_id: line.actId ?? null,
    ...presentSettled(line),
    ...(line.batchId !== undefined && { batch_id: line.batchId }),
    ...(line.member !== undefined && { user: line.member }),
  };
}

/** The figures of the reason, for readers with units and a language of their own. */
function presentSettled({ kind, used, seconds, end }: StoredLine) {
  if (kind !== 'settle' || !end) return {};
  const { outcome, excused = 0 } = end;
  const settled = { outcome, used, held: used + seconds, ...(excused > 0 && { excused }) };
  return { settled };
}

export function presentSums(lines: readonly StoredLine[], per: 'day' | 'job') {
  return per === 'day'
    ? [...sumByDay(lines)].map(([day, sum]) => ({ day, ...presentSum(sum) }))
    : [...sumByJob(lines)].map(([jobId, sum]) => ({ job_id: jobId, ...presentJobSum(sum) }));
}

function presentSum(sum: LedgerSum) {
  const { granted, expired } = sum;
  return {
    granted: presentAmount(granted),
    expired: presentAmount(expired),
    ...presentJobSum(sum),
  };
}

/** Leaves out grants and expiries, which jobs do not have. */
function presentJobSum({ corrected, held, returned, used, change }: LedgerSum) {
  return {
    corrected: presentAmount(corrected),
    held: presentAmount(held),
    returned: presentAmount(returned),
    used: presentAmount(used),
    change: presentAmount(change),
  };
}
