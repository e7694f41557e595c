import { useEffect, useState } from 'preact/hooks';
import { writeLeft, writeNodeTime } from '#client/src/format/amounts/amounts.ts';
import { describeResources } from '#client/src/format/jobs/describe-resources.ts';
import { describeCut, describeSimilar } from '#client/src/format/jobs/describe-usage.ts';
import { writeCount, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { describeWait } from '#client/src/format/systems/describe-maintenance.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { BatchEstimate, Estimate, Quota, System } from '#client/src/index.ts';
import { findNamesInBraces } from '#client/src/jobs/names-in-braces.ts';
import { addressOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { ProblemNote } from '../parts/loading.tsx';
import { TimeBar } from '../parts/share-bar.tsx';
import { type Draft, isBatch, judgeDraft, toSubmission } from './draft.ts';
import { type Input, inputToEstimate } from './prepare-input.ts';
import { phrase } from './words.ts';

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
  const isWrong = told || judgeDraft(draft, system).size > 0;
  // In a batch, the field says so.
  const stray = isBatch(draft) ? [] : findNamesInBraces([draft]);
  return (
    <aside class="price" aria-live="polite" aria-label={phrase('price')}>
      <h2>{phrase('price')}</h2>
      {error !== undefined && !told ? (
        <ProblemNote error={error} />
      ) : (
        !estimate && (
          <p class="quiet">{isWrong ? phrase('fixForPrice') : phrase('enterForPrice')}</p>
        )
      )}
      {estimate && (
        <>
          <p class="large">
            {describePrice(estimate, toSubmission(draft, system), system.charging)}
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
          <p title={phrase('seconds', { count: estimate.left.time })}>
            {describeLeft(estimate, granted, system.charging)}
          </p>
          {[...describeCut(toSubmission(draft, system), estimate), ...describeWait(estimate)].map(
            (wait) => (
              <p key={wait} class="warning">
                {wait}
              </p>
            ),
          )}
          {!isMany(estimate) && estimate.similar && <p>{describeSimilar(estimate)}</p>}
          <p class="quiet">{describeHold(estimate, system.charging)}</p>
          <p class="quiet">{countActive(estimate)}</p>
          {isMany(estimate) && <Preview estimate={estimate} />}
          {stray.length > 0 && (
            <p class="warning">{phrase('namesStay', { names: stray.join(', ') })}</p>
          )}
        </>
      )}
      <p>
        <a href={addressOf.requests}>{phrase('askForMore')}</a>
      </p>
    </aside>
  );
}

export function isMany(estimate: Estimate | BatchEstimate): estimate is BatchEstimate {
  return 'preview' in estimate;
}

/** Shows what the first jobs of a batch run. */
function Preview({ estimate: { preview, count } }: { readonly estimate: BatchEstimate }) {
  const others = count - preview.length;
  return (
    <section aria-labelledby="preview-title">
      <h3 id="preview-title">{phrase('firstJobs')}</h3>
      <ol class="preview">
        {preview.map(({ index, program, title }) => (
          <li key={index}>
            <span class="quiet number">{index}</span> <code>{program}</code>
            {title !== '' && <span class="quiet"> {title}</span>}
          </li>
        ))}
      </ol>
      {others > 0 && <p class="quiet">{phrase('andMore', { count: others })}</p>}
    </section>
  );
}

/** Writes the price: `2 nodes × 30 min = 1 node-hour.` */
export function describePrice(
  estimate: Estimate | BatchEstimate,
  { nodes, cores }: { readonly nodes: number; readonly cores: number },
  charging: System['charging'],
): string {
  const time = writeDuration(estimate.runtime * 3600);
  const price = writeNodeTime(estimate.held.time, charging);
  const jobs = isMany(estimate) ? `${writeCount(estimate.count, 'job')} × ` : '';
  const onNodes = writeCount(nodes, 'node');
  if (charging === 'weights') {
    const got = estimate.resources ? `, ${describeResources(estimate.resources)}` : '';
    return `${jobs}${phrase('nodesWithCores', { nodes: onNodes, count: cores })}${got}, ${time}: ${price}.`;
  }
  if (charging === 'wall-clock') return `${jobs}${time} = ${price}.`;
  const cored = charging === 'core' ? ` × ${writeCount(cores, 'core')}` : '';
  return `${jobs}${onNodes}${cored} × ${time} = ${price}.`;
}

/** Writes `4,999 of 5,000 left after this job.` */
export function describeLeft(
  estimate: Estimate | BatchEstimate,
  granted: number | undefined,
  charging: System['charging'],
): string {
  const { time: left } = estimate.left;
  const time = granted === undefined ? writeNodeTime(left, charging) : writeLeft(left, granted);
  return isMany(estimate) ? phrase('leftAfterBatch', { time }) : phrase('leftAfterJob', { time });
}

function describeHold(estimate: Estimate | BatchEstimate, charging: System['charging']): string {
  const time = writeNodeTime(estimate.held.time, charging);
  return isMany(estimate) ? phrase('batchReserves', { time }) : phrase('reserves', { time });
}

function countActive(estimate: Estimate | BatchEstimate): string {
  const active = writeNumber(estimate.living_jobs);
  const most = writeNumber(estimate.max_living_jobs);
  return isMany(estimate)
    ? phrase('batchActive', { active, most })
    : phrase('active', { active, most });
}

const pauseMs = 400;

export interface Estimated {
  readonly estimate: Estimate | BatchEstimate | undefined;
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
    if (!system || judgeDraft(draft, system).size > 0 || draft.program.trim() === '') {
      setEstimated({ estimate: undefined, error: undefined, of: draft });
      return;
    }
    const leaving = new AbortController();
    const ask = async () => {
      const submission = { ...toSubmission(draft, system), signal: leaving.signal };
      try {
        const sent = await addInput(submission, draft, input);
        const estimate = await (isBatch(draft)
          ? service.estimateBatch(sent)
          : service.estimate(sent));
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

/** Adds what of the input the price depends on. */
export async function addInput<Submission>(
  submission: Submission,
  { table }: Draft,
  input: Input | undefined,
) {
  return { ...submission, ...(input && { input: await inputToEstimate(input, table) }) };
}
