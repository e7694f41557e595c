import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import type { Quota, System } from '#client/src/index.ts';
import { addressOf } from '../address/address-of.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { describeLeft, describePrice } from './describe-price.ts';
import type { Estimated } from './use-estimate.ts';

interface PricePanelProps {
  readonly system: System;
  readonly estimated: Estimated;
  readonly quota: Quota | undefined;
  /** Whether what is wrong stands beside a field already. */
  readonly told: boolean;
}

/** Always there: what it costs, and what is left after it. */
export function PricePanel({ system, estimated, quota, told }: PricePanelProps) {
  const { estimate, error, of: draft } = estimated;
  const granted = quota?.usage?.time.granted;
  return (
    <aside class="price" aria-live="polite" aria-label="Price">
      <h2>Price</h2>
      {!estimate && error === undefined && (
        <p class="quiet">Say what to run, and the price stands here.</p>
      )}
      {error !== undefined && !told && <ProblemNote error={error} />}
      {error !== undefined && told && (
        <p class="quiet">Mend what is marked, and the price stands here.</p>
      )}
      {estimate && (
        <>
          <p class="large">
            {describePrice(
              estimate,
              { nodes: Number(draft.nodes), cores: Number(draft.cores) },
              system.charging,
            )}
          </p>
          {granted !== undefined && (
            <ShareBar
              label={describeLeft(estimate, granted, system.charging)}
              shares={[
                { kind: 'used', amount: granted - estimate.left.time - estimate.held.time },
                { kind: 'held', amount: estimate.held.time },
                { kind: 'left', amount: estimate.left.time },
              ]}
            />
          )}
          <p title={`${estimate.left.time} seconds`}>
            {describeLeft(estimate, granted, system.charging)}
          </p>
          <p class="quiet">
            Submitting reserves {writeNodeTime(estimate.held.time, system.charging)}. What the job
            does not use is given back when it ends.
          </p>
          <p class="quiet">
            {estimate.living_jobs} of {estimate.max_living_jobs} jobs at once, with this one.
          </p>
        </>
      )}
      <p>
        <a href={addressOf.requests}>Ask for more</a>
      </p>
    </aside>
  );
}
