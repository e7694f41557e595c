import type { JobFolders } from './job-folders.ts';
import type { SlurmAnswer } from './read-answer.ts';
import type { BatchJob } from './submit-bodies.ts';

/**
 * What is said to a Slurm cluster, whichever way leads to it. The answers are Slurm's own, with its
 * error numbers. `login` is the account that a call is for; undefined for the service's own.
 */
export interface Slurm {
  /** The service's own user. */
  readUser(): Promise<string>;
  /** True if the cluster has accounting and this way leads to it. Asked once per container. */
  hasAccounting(): Promise<boolean>;
  /** Up to this number, jobs are asked for one by one, because a list has every user's jobs. */
  readonly maxSingleQuestions: number;
  /** True if it also accepts jobs of accounts that the cluster does not know. */
  readonly acceptsUnknownAccounts: boolean;
  submit(job: BatchJob, login: string | undefined): Promise<SlurmAnswer>;
  cancel(handle: string, login: string | undefined): Promise<SlurmAnswer>;
  /** The whole queue. */
  listQueue(login: string | undefined): Promise<SlurmAnswer>;
  /** A job of the queue, or all tasks of an array. The answer may have other jobs, too. */
  readQueued(number: string, login: string | undefined): Promise<SlurmAnswer>;
  /** A job of the accounting, or all tasks of an array, with all of their runs. */
  readAccounted(number: string, login: string | undefined): Promise<SlurmAnswer>;
  /** The jobs of the accounting with these names. */
  findAccounted(names: readonly string[], login: string | undefined): Promise<SlurmAnswer>;
  /** The jobs of the accounting since a moment, or a little earlier. */
  listAccounted(since: Date): Promise<SlurmAnswer>;
  listReservations(): Promise<SlurmAnswer>;
  /** Missing if this way does not lead to files of the cluster. */
  readonly folders?: JobFolders;
  /** Throws if no controller answers. */
  checkHealth(): Promise<void>;
}
