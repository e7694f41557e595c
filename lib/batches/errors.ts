import { DomainError } from '#lib/errors/domain-error.ts';

/** Missing, or somebody else's. The caller must not learn which. */
export class BatchNotFoundError extends DomainError {
  override readonly name = 'BatchNotFoundError';
  constructor() {
    super('Batch not found here. GET /batches/ lists yours.');
  }
}

export interface TableProblem {
  /** The line in the file. Undefined if the problem is with the whole file. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** Nobody reads more of them, so the check of a table ends there. */
export const mostProblems = 100;

const notChecked = {
  message: `Only the first ${mostProblems} problems are listed. The lines after them were not checked.`,
};

/** A table that cannot become jobs. Nothing was stored. */
export class BadTableError extends DomainError {
  override readonly name = 'BadTableError';
  readonly table: string;
  readonly problems: readonly TableProblem[];
  constructor(table: string, problems: readonly TableProblem[]) {
    const [first] = problems;
    super(problems.length === 1 && first ? first.message : `${problems.length} problems.`);
    this.table = table;
    this.problems =
      problems.length > mostProblems ? [...problems.slice(0, mostProblems), notChecked] : problems;
  }
}

/** Running again is only for jobs that failed. */
export class NothingFailedError extends DomainError {
  override readonly name = 'NothingFailedError';
  constructor() {
    super('No job of this batch has failed, so there is nothing to run again.');
  }
}

/** The owner has removed the batch, and its zip with it. */
export class BatchInputGoneError extends DomainError {
  override readonly name = 'BatchInputGoneError';
  constructor() {
    super('The input of this batch was removed. Submit the jobs with their zip again.');
  }
}
