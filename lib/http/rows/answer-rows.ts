import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import type { TimeLeft } from '#lib/time/time-left.ts';
import { InvalidRequestError } from '../errors.ts';
import type { Row } from '../parsers/rows/row.ts';
import { presentRefusal } from '../presenters/present-refusal.ts';
import { explainError } from '../problems.ts';

/** Each row is a few calls to the table. */
const rowsAtOnce = 16;

/**
 * What became of each row, in their order. One that is refused holds up no other; those for which
 * there is no time left are not done. A fault of ours ends all of it: what was done is done, and the
 * same rows can be sent again.
 */
export function answerRows<Fields, Answered extends object>(
  rows: readonly Row<Fields>[],
  time: Pick<TimeLeft, 'isOver'>,
  work: (fields: Fields, line: number) => Promise<Answered>,
) {
  const answerRow = async (row: Row<Fields>) => {
    const { line } = row;
    try {
      if ('problems' in row) throw new InvalidRequestError(row.problems);
      if (time.isOver()) return { line, outcome: 'not-done' };
      return { line, ...(await work(row.output, line)) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { line, outcome: 'refused', problem: presentRefusal(error) };
    }
  };
  return mapInParallel(rows, rowsAtOnce, answerRow, { stopAtFailure: true });
}

function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && explainError(error).status < 500;
}
