/** One of the jobs that are wanted. Its title is unique, so that it can be found again. */
export interface Wish {
  readonly title: string;
}

export type Answer =
  | { readonly kind: 'accepted'; readonly jobId: string }
  | { readonly kind: 'refused' }
  /** The connection broke or the service failed, so nobody knows whether there is a job. */
  | { readonly kind: 'unanswered' };

export interface ListedJob {
  readonly jobId: string;
  readonly title: string;
  readonly ended: boolean;
}

/** An account before the submissions. */
export interface Prepared {
  readonly remaining: number;
  /** The amount that one job takes, in the unit of the account. */
  readonly price: number;
}

/** A service that can be measured. To measure another one, write these four functions for it. */
export interface Target {
  /** Makes or reads a quota that suffices for some jobs, and learns what one of them takes. */
  prepare(fits: number): Promise<Prepared>;
  submit(wish: Wish): Promise<Answer>;
  /** Lists all jobs that the service has for the user, those of earlier runs too. */
  listJobs(): Promise<readonly ListedJob[]>;
  /** Returns what remains in the account. */
  readAccount(): Promise<number>;
}

/** Where a service is, and as whom it is called. */
export interface Access {
  readonly url: string;
  readonly token: string;
  readonly hpc: string;
  readonly project: string;
  /** The fields of a submission, besides its title. */
  readonly fields: Readonly<Record<string, string>>;
}
