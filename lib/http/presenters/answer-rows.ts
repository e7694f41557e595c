import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import type { TimeLeft } from '#lib/time/time-left.ts';
import { InvalidRequestError } from '../errors.ts';
import type { Row } from '../parsers/bodies/rows-body.ts';
import { explainError, problemType } from '../problems.ts';

/** Each row makes a few calls to the table. */
const rowsAtOnce = 16;

/**
 * Works on rows in parallel and returns what became of each, in order. A refused row does not stop
 * the others; rows for which no time remains are `not-done`. An internal error ends the request:
 * finished rows stay finished, and the same rows can be sent again.
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

/** Presents the problem that the row would have met in a request of its own. */
function presentRefusal(error: DomainError) {
  const { name, title, detail, members } = explainError(error);
  return { type: problemType(name), title, detail, ...members };
}
