import { Refusal, refusal } from '#lib/errors/domain-error.ts';

/** Missing, or somebody else's. The caller must not learn which. */
export class BatchNotFoundError extends /* @__PURE__ */ refusal(
  'batch-not-found',
  'Batch not found here. GET /batches/ lists yours.',
) {}

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
export class BadTableError extends Refusal {
  readonly problems: readonly TableProblem[];
  constructor(table: string, found: readonly TableProblem[]) {
    const [first] = found;
    const problems =
      found.length > mostProblems ? [...found.slice(0, mostProblems), notChecked] : found;
    super('bad-table', {
      message: found.length === 1 && first ? first.message : `${found.length} problems.`,
      wrongParts: problems.map((problem) => ({ part: table, ...problem })),
    });
    this.problems = problems;
  }
}

/** Running again is only for jobs that failed. */
export class NothingFailedError extends /* @__PURE__ */ refusal(
  'nothing-failed',
  'No job of this batch has failed, so there is nothing to run again.',
) {}

/** The owner has removed the batch, and its zip with it. */
export class BatchInputGoneError extends /* @__PURE__ */ refusal(
  'batch-input-gone',
  'The input of this batch was removed. Submit the jobs with their zip again.',
) {}
