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
  /** The job whose results become the input. It must end well. */
  readonly input?: { readonly from: JobId; readonly folder?: string | undefined } | undefined;
}

/** The most that one job waits for, so that its submission and its end fit into a transaction. */
export const mostAwaited = 20;

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
    ...(input
      ? [{ id: input.from, anyEnd: false, givesInput: true, field: 'input_from' as const }]
      : []),
    ...after.map((id) => ({ id, anyEnd: false, givesInput: false, field: 'after' as const })),
    ...afterAny.map((id) => ({ id, anyEnd: true, givesInput: false, field: 'after_any' as const })),
  ];
  return [...new Map(named.toReversed().map((one) => [one.id, one])).values()].toReversed();
}
