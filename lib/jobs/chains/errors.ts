import { refusalSaying } from '#lib/errors/domain-error.ts';
import type { Awaited } from './awaited.ts';
import { explainBroken } from './explain-wait.ts';
import type { AwaitedId, WaitField } from './waits.ts';

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
      message: `You have no ${field === 'input_from' ? 'job' : 'job or batch'} ${id}. Name what you have submitted, by its id.`,
    }));
    return { message: wrongParts.map(({ message }) => message).join(' '), wrongParts };
  },
) {}

/** An awaited job has already ended in a way that its successor must not follow. */
export class AwaitedFailedError extends /* @__PURE__ */ refusalSaying(
  'awaited-failed',
  (awaited: Awaited) => ({
    message:
      `${explainBroken(awaited)}, so a job that runs after it would never run. Submit that one ` +
      'again first, or wait with after_any, which accepts any end.',
    facts: { jobId: awaited.id },
  }),
) {}
