import { budgetAsQuota } from '#client/src/changes/change-share.ts';
import { writeNodeTime, writeSize, writeSizeLeft } from '#client/src/format/amounts.ts';
import type { LedProject } from '#client/src/index.ts';
import { chargingOf } from '../live/catalog.ts';
import { ShareBar } from '../parts/share-bar.tsx';
import { describeTime } from './describe-quota.ts';
import { QuotaRemarks } from './quota-remarks.tsx';
import { phrase } from './words.ts';

/** Shows a budget: what is left of it, and where the rest is. */
export function Budget({ led }: { readonly led: LedProject }) {
  const quota = budgetAsQuota(led);
  if (!led.budget || !quota) return <p class="quiet">{phrase('noBudget')}</p>;
  const charging = chargingOf(led.project_hpc);
  const { time, space } = led.budget;
  const said = describeTime(quota, charging);
  const write = (seconds: number) => ({ time: writeNodeTime(seconds, charging) });
  const shares = {
    'shared-out': time.shared_out,
    used: time.used - time.shared_out,
    held: time.held,
  };
  const parts = [
    { kind: 'shared-out', words: phrase('sharedOut', write(time.shared_out)) },
    { kind: 'used', words: phrase('used', write(shares.used)) },
    { kind: 'held', words: phrase('reserved', write(time.held)) },
  ] as const;
  // Jobs draw from the budget only if it is shared, and then nothing else is said of them.
  const told = parts.filter(({ kind }) => kind === 'shared-out' || shares[kind] > 0);
  return (
    <>
      <p class="large" title={phrase('seconds', { time: time.left })}>
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
      <p class="quiet" title={phrase('kilobytes', { space: space.left })}>
        {phrase('spaceLeftOf', {
          left: writeSizeLeft(space.left * 1000),
          granted: writeSize(space.granted * 1000),
        })}
      </p>
      <QuotaRemarks quota={quota} />
    </>
  );
}
