import type { PartitionKind } from './keys.ts';

export type StoredItem = Readonly<Record<string, unknown>>;

/** Turns an item of one version into the next, as a pure function of the item. */
type UpStep = (item: StoredItem) => StoredItem;

/** Something that a release stores and that earlier releases would overlook or damage. */
export interface DataStep {
  readonly number: number;
  /** The first release that knows it. */
  readonly since: string;
  readonly brings: string;
  /** True in the release before, which reads what the step brings but does not write it yet. */
  readonly isAhead?: true;
  /** Gives all items of a type a new version. Until all are rewritten, each is brought up when read. */
  readonly rewrites?: {
    readonly type: string;
    /** Where such items are. */
    readonly in: readonly PartitionKind[];
    readonly up: UpStep;
  };
}

/**
 * All steps, in order. A release adds one if earlier code must not write to the data any more, or
 * if it gives a type of item a new version. docs/data-model.md says when that is so. Numbers are
 * never used again.
 */
export const dataSteps: readonly DataStep[] = [
  { number: 1, since: '0.1.0', brings: 'jobs, accounts, ledgers, reports and webhooks' },
  { number: 2, since: '0.2.0', brings: 'batches, chains, budgets of projects and runs of jobs' },
  {
    number: 3,
    since: '0.3.0',
    brings: 'maintenance, results of batches as input, hooks, statements by mail',
  },
];

/** Lists the steps that this release takes itself. */
export function listOwnSteps(steps: readonly DataStep[]): readonly DataStep[] {
  return steps.filter(({ isAhead }) => !isAhead);
}

/** The steps of each type of item: from version 1 to 2, from 2 to 3, and so on. */
export type UpSteps = ReadonlyMap<string, readonly UpStep[]>;

export function listUpSteps(steps: readonly DataStep[]): UpSteps {
  const rewrites = steps.flatMap((step) => step.rewrites ?? []);
  return new Map(
    [...Map.groupBy(rewrites, ({ type }) => type)].map(([type, some]) => [
      type,
      some.map(({ up }) => up),
    ]),
  );
}
