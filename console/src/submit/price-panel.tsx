import { useEffect, useState } from 'preact/hooks';
import { writeLeft, writeNodeTime, writeRest } from '#client/src/format/amounts.ts';
import { writeDuration } from '#client/src/format/duration.ts';
import { writeNumber } from '#client/src/format/write-number.ts';
import type { Estimate, Quota, System } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { ProblemNote } from '../parts/loading.tsx';
import { TimeBar } from '../parts/share-bar.tsx';
import { type Draft, judgeDraft, toSubmission } from './draft.ts';
import type { Input } from './prepare-input.ts';

interface PricePanelProps {
  readonly system: System;
  readonly estimated: Estimated;
  readonly quota: Quota | undefined;
  /** Whether the error is shown next to a field already. */
  readonly told: boolean;
}

/** Shows what the job costs and what is left after it. */
export function PricePanel({ system, estimated, quota, told }: PricePanelProps) {
  const { estimate, error, of: draft } = estimated;
  const granted = quota?.usage?.time.granted;
  return (
    <aside class="price" aria-live="polite" aria-label="Price">
      <h2>Price</h2>
      {!estimate && error === undefined && <p class="quiet">Enter what to run to see the price.</p>}
      {error !== undefined && !told && <ProblemNote error={error} />}
      {error !== undefined && told && (
        <p class="quiet">Fix the highlighted fields to see the price.</p>
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
            <TimeBar
              label={describeLeft(estimate, granted, system.charging)}
              time={{
                used: granted - estimate.left.time - estimate.held.time,
                held: estimate.held.time,
                left: estimate.left.time,
              }}
            />
          )}
          <p title={`${estimate.left.time} seconds`}>
            {describeLeft(estimate, granted, system.charging)}
          </p>
          <p class="quiet">
            Submitting reserves {writeNodeTime(estimate.held.time, system.charging)}. Unused time is
            returned when the job ends.
          </p>
          <p class="quiet">
            {writeNumber(estimate.living_jobs)} of {writeNumber(estimate.max_living_jobs)} active
            jobs, including this one.
          </p>
        </>
      )}
      <p>
        <a href={addressOf.requests}>Ask for more</a>
      </p>
    </aside>
  );
}

/** Writes the price: `2 nodes × 30 min = 1 node-hour.` */
export function describePrice(
  { runtime, held }: Estimate,
  { nodes, cores }: { readonly nodes: number; readonly cores: number },
  charging: System['charging'],
): string {
  const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
  const time = writeDuration(runtime * 3600);
  const price = writeNodeTime(held.time, charging);
  if (charging === 'wall-clock') return `${time} = ${price}.`;
  const cored = charging === 'core' ? ` × ${many(cores, 'core')}` : '';
  return `${many(nodes, 'node')}${cored} × ${time} = ${price}.`;
}

/** Writes `4,999 of 5,000 left after this job.` */
export function describeLeft(
  { left }: Estimate,
  granted: number | undefined,
  charging: System['charging'],
): string {
  const said =
    granted === undefined ? writeRest(left.time, charging) : writeLeft(left.time, granted);
  return `${said} left after this job.`;
}

const pauseMs = 400;

interface Estimated {
  readonly estimate: Estimate | undefined;
  readonly error: unknown;
  /** The draft of the estimate. While somebody types, the previous one is still shown. */
  readonly of: Draft;
}

/** Estimates the price at each pause in typing. */
export function useEstimate(
  draft: Draft,
  system: System | undefined,
  input: Input | undefined,
): Estimated {
  const service = useService();
  const [estimated, setEstimated] = useState<Estimated>({
    estimate: undefined,
    error: undefined,
    of: draft,
  });
  useEffect(() => {
    if (!system || judgeDraft(draft).size > 0 || draft.program.trim() === '') {
      setEstimated({ estimate: undefined, error: undefined, of: draft });
      return;
    }
    const leaving = new AbortController();
    const ask = async () => {
      const submission = { ...toSubmission(draft, system), signal: leaving.signal };
      try {
        const estimate = await service.estimate({
          ...submission,
          ...(input && { input: input.zip }),
        });
        setEstimated({ estimate, error: undefined, of: draft });
      } catch (error) {
        if (!leaving.signal.aborted) setEstimated({ estimate: undefined, error, of: draft });
      }
    };
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [draft, system, input]);
  return estimated;
}
