import type { AllJobsList } from '#lib/jobs/read/job-list.ts';
import { createPositionSigner } from './position-signer.ts';

/** The cursors of job lists: the place is the id of a job. */
export interface CursorSigner {
  sign(list: AllJobsList, after: number): string;
  verify(list: AllJobsList, cursor: string): number;
}

/** Lists for administrators are marked, so that no cursor of theirs is good for a caller's list. */
export function createCursorSigner(secret: string, ...marks: 'administrators'[]): CursorSigner {
  const signer = createPositionSigner(secret);
  const marksOf = ({ owner, hpc, project, order, filter }: AllJobsList) => [
    ...marks,
    owner,
    hpc,
    project,
    order,
    filter,
  ];
  return {
    sign: (list, after) => signer.sign(marksOf(list), after.toString(36)),
    verify: (list, cursor) => Number.parseInt(signer.verify(marksOf(list), cursor), 36),
  };
}
