import type { BatchId, JobId } from '#lib/catalog/identifiers.ts';

/** The id of a job or batch that another job waits for. */
export type AwaitedId = JobId | BatchId;

/** How an awaited job or batch is: active, or how it ended. */
export const awaitedStates = ['active', 'succeeded', 'failed', 'cancelled', 'deleted'] as const;

export type AwaitedState = (typeof awaitedStates)[number];

/** What a job waits for, as its submission says it. */
export interface Waits {
  /** These must end well. */
  readonly after: readonly AwaitedId[];
  /** These must end, however that is. */
  readonly afterAny: readonly AwaitedId[];
  readonly input?: InputWish | undefined;
}

/** Whose results become the input. */
export interface InputWish {
  /** A job, or a batch, each of whose jobs has a folder then. It must end well. */
  readonly from: AwaitedId;
  readonly folder?: string | undefined;
  /** True if the batch need not end well, and only those of its jobs are taken that did. */
  readonly leavesOutFailed?: true | undefined;
}

/** The most that one job waits for, so that its submission and its end fit into a transaction. */
export const mostAwaited = 20;

/** The most jobs of a batch whose results one job takes, so that a function has time for them. */
export const mostCollected = 1000;

/** One thing that a job waits for. */
export interface Condition {
  readonly id: AwaitedId;
  /** True if any end will do. */
  readonly anyEnd: boolean;
  /** True if its results become the job's input. */
  readonly givesInput: boolean;
  /** The field that names it, for messages. */
  readonly field: WaitField;
}

export type WaitField = 'after' | 'after_any' | 'input_from';

/** Lists what to wait for, each id once. The stricter condition wins. */
export function listConditions({ after, afterAny, input }: Waits): Condition[] {
  const named: Condition[] = [
    ...(input ? [demandInput(input, after)] : []),
    ...after.map((id) => ({ id, anyEnd: false, givesInput: false, field: 'after' as const })),
    ...afterAny.map((id) => ({ id, anyEnd: true, givesInput: false, field: 'after_any' as const })),
  ];
  return [...new Map(named.toReversed().map((one) => [one.id, one])).values()].toReversed();
}

function demandInput({ from, leavesOutFailed }: InputWish, after: readonly AwaitedId[]): Condition {
  const anyEnd = leavesOutFailed === true && !after.includes(from);
  return { id: from, anyEnd, givesInput: true, field: 'input_from' };
}
