import { DomainError } from '#lib/errors/domain-error.ts';
import type { Awaited } from './awaited.ts';
import { explainBroken } from './explain-wait.ts';
import type { AwaitedId, WaitField } from './waits.ts';

interface UnknownAwaited {
  readonly id: AwaitedId;
  readonly field: WaitField;
}

/** Missing, or somebody else's. The caller must not learn which. */
export class AwaitedNotFoundError extends DomainError {
  override readonly name = 'AwaitedNotFoundError';
  readonly problems: readonly { readonly field: WaitField; readonly message: string }[];
  constructor(unknown: readonly UnknownAwaited[]) {
    const problems = unknown.map(({ id, field }) => ({
      field,
      message: `You have no ${field === 'input_from' ? 'job' : 'job or batch'} ${id}. Name what you have submitted, by its id.`,
    }));
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }
}

/** An awaited job has already ended in a way that its successor must not follow. */
export class AwaitedFailedError extends DomainError {
  override readonly name = 'AwaitedFailedError';
  readonly id: AwaitedId;
  constructor(awaited: Awaited) {
    super(
      `${explainBroken(awaited)}, so a job that runs after it would never run. Submit that one ` +
        'again first, or wait with after_any, which accepts any end.',
    );
    this.id = awaited.id;
  }
}
