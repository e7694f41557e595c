import { budgetAsQuota } from '#client/src/changes/change-share.ts';
import { writeNodeTime, writeSize, writeSizeLeft } from '#client/src/format/amounts.ts';
import type { LedProject } from '#client/src/index.ts';
import { chargingOf } from '../live/catalog.ts';
import { ShareBar } from '../parts/share-bar.tsx';
import { describeTime } from './describe-quota.ts';
import { QuotaRemarks } from './quota-remarks.tsx';

/** Shows a budget: what is left of it, and where the rest is. */
export function Budget({ led }: { readonly led: LedProject }) {
  const quota = budgetAsQuota(led);
  if (!led.budget || !quota) return <p class="quiet">No budget yet.</p>;
  const charging = chargingOf(led.project_hpc);
  const { time, space } = led.budget;
  const said = describeTime(quota, charging);
  const shares = {
    'shared-out': time.shared_out,
    used: time.used - time.shared_out,
    held: time.held,
  };
  const parts = [
    { kind: 'shared-out', words: `${writeNodeTime(time.shared_out, charging)} shared out` },
    { kind: 'used', words: `${writeNodeTime(shares.used, charging)} used` },
    { kind: 'held', words: `${writeNodeTime(time.held, charging)} reserved` },
  ] as const;
  // Jobs draw from the budget only if it is shared, and then nothing else is said of them.
  const told = parts.filter(({ kind }) => kind === 'shared-out' || shares[kind] > 0);
  return (
    <>
      <p class="large" title={`${time.left} seconds`}>
        {said}
      </p>
      <ShareBar
        label={[said, ...told.map(({ words }) => words)].join(', ')}
        shares={{ ...shares, left: time.left }}
      />
      <p class="legend quiet">
        {told.map(({ kind, words }) => (
          <span key={kind} class={kind}>
            {words}
          </span>
        ))}
      </p>
      <p class="quiet" title={`${space.left} kilobytes`}>
        {writeSizeLeft(space.left * 1000)} of {writeSize(space.granted * 1000)} of space left
      </p>
      <QuotaRemarks quota={quota} />
    </>
  );
}
