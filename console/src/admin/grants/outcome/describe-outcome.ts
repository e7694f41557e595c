import { describeChange } from '#client/src/changes/describe-change.ts';
import { describeProblem } from '#client/src/changes/describe-problem.ts';
import type { Charging } from '#client/src/format/write-node-time.ts';
import type { GrantedRow } from '#client/src/index.ts';

/** What a grant changed or would change, in hours and days. */
export function describeOutcome(row: GrantedRow, charging: Charging): string {
  if (row.outcome === 'not-done') return 'There was no time for it. Send it again.';
  if (row.outcome === 'refused') return describeProblem(row.problem);
  return describeChange(row.change, charging) || 'It is so already.';
}
