import { refusalSaying } from '#lib/errors/domain-error.ts';
import type { Awaited } from './awaited.ts';
import { explainBroken, leaveOutHint } from './explain-wait.ts';
import { type AwaitedId, type Condition, mostCollected, type WaitField } from './waits.ts';

interface UnknownAwaited {
  readonly id: AwaitedId;
  readonly field: WaitField;
}

/** Missing, or somebody else's. The caller must not learn which. */
export class AwaitedNotFoundError extends /* @__PURE__ */ refusalSaying(
  'awaited-not-found',
  (unknown: readonly UnknownAwaited[]) => {
    const wrongParts = unknown.map(({ id, field }) => ({
      part: field,
      message: `You have no job or batch ${id}. Name what you have submitted, by its id.`,
    }));
    return { message: wrongParts.map(({ message }) => message).join(' '), wrongParts };
  },
) {}

/** A batch has more jobs than one job can take the results of. */
export class TooManyResultsError extends /* @__PURE__ */ refusalSaying(
  'too-many-results',
  ({ count }: { readonly count: number }) => {
    const message = `The batch has ${count} jobs, and one job can take the results of at most ${mostCollected}. Download them instead, or submit smaller batches.`;
    return { message, wrongParts: [{ part: 'input_from', message }] };
  },
) {}

type Unusable = Awaited & Pick<Condition, 'givesInput'>;

/** An awaited job has already ended in a way that its successor must not follow. */
export class AwaitedFailedError extends /* @__PURE__ */ refusalSaying(
  'awaited-failed',
  (awaited: Unusable) => ({
    message: `${explainBroken(awaited)}, so a job that runs after it would never run. ${adviseOn(awaited)}`,
    facts: { jobId: awaited.id },
  }),
) {}

function adviseOn({ jobs, givesInput, state }: Unusable): string {
  if (givesInput && jobs && state !== 'deleted') return leaveOutHint;
  const others = givesInput ? '' : ', or wait with after_any, which accepts any end';
  return `Submit that one again first${others}.`;
}
