import { budgetAsQuota } from '#client/src/changes/budget-as-quota.ts';
import { writeShares, writeSpaceLeft } from '#client/src/format/amounts/amounts.ts';
import type { LedProject } from '#client/src/index.ts';
import { chargingOf } from '../live/catalog.ts';
import { ShareBar } from '../parts/share-bar.tsx';
import { sayLeft } from './describe-quota.ts';
import { QuotaRemarks } from './quota-remarks.tsx';
import { phrase } from './words.ts';

/** Shows a budget: what is left of it, and where the rest is. */
export function Budget({ led }: { readonly led: LedProject }) {
  const quota = budgetAsQuota(led);
  if (!led.budget || !quota) return <p class="quiet">{phrase('noBudget')}</p>;
  const charging = chargingOf(led.project_hpc);
  const { time, space } = led.budget;
  const shares = {
    'shared-out': time.shared_out,
    used: time.used - time.shared_out,
    held: time.held,
  };
  const written = writeShares(
    [time.left, shares['shared-out'], shares.used, shares.held],
    charging,
  );
  const said = sayLeft(written, charging);
  const [, out = '', used = '', held = ''] = written.times;
  const parts = [
    { kind: 'shared-out', words: phrase('sharedOut', { time: out }) },
    { kind: 'used', words: phrase('used', { time: used }) },
    { kind: 'held', words: phrase('reserved', { time: held }) },
  ] as const;
  // Jobs draw from the budget only if it is shared, and then nothing else is said of them.
  const told = parts.filter(({ kind }) => kind === 'shared-out' || shares[kind] > 0);
  return (
    <>
      <p class="large" title={phrase('seconds', { count: time.left })}>
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
      <p class="quiet" title={phrase('kilobytes', { count: space.left })}>
        {phrase('spaceLeftOf', writeSpaceLeft(space))}
      </p>
      <QuotaRemarks quota={quota} />
    </>
  );
}
