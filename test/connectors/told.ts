/** The timeline of a job, with the runs before the one that counts. */
export interface StagedTimeline {
  readonly reason: string | null;
  readonly ran_seconds: number | null;
  readonly stages: readonly { readonly stage: string }[];
  readonly tries: readonly { readonly accepted: boolean }[];
  readonly efficiency?: {
    readonly time: { readonly used: number };
    readonly cpu?: { readonly used: number };
  };
  readonly earlier_runs?: readonly {
    readonly run: number;
    readonly seconds: number;
    readonly lost: boolean;
    readonly reason: string;
  }[];
}

/** A line of the ledger's sums by job. */
export interface JobSum {
  readonly job_id: string;
  readonly used: { readonly time: number };
}
