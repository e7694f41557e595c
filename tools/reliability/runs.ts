/** A thing that a suite counts, such as requests: how many were tried, and how many held. */
export interface Tried {
  readonly unit: string;
  readonly tried: number;
  readonly survived: number;
}

export interface PlayedRun {
  /** A key of `proofSuites`. */
  readonly suite: string;
  readonly tried: readonly Tried[];
  /** Short texts beside the counts, such as a seed or the slowest answer. */
  readonly figures?: readonly string[];
  readonly seconds: number;
}

export interface RecordedRun extends PlayedRun {
  readonly figures: readonly string[];
  readonly date: string;
  readonly commit: string;
  /** True if the tree differed from its commit. */
  readonly changed: boolean;
  readonly cores: number;
}

export const recordsFolder = 'docs/reliability';
