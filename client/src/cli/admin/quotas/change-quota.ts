import type { Change } from '../../../changes/describe-change.ts';
import { describeProblem, nameOf } from '../../../changes/describe-problem.ts';
import { writeNodeTime, writeRest } from '../../../format/write-node-time.ts';
import { writeSizeLeft } from '../../../format/write-size.ts';
import type { GrantedRow, GrantRow, Quota, Slipway } from '../../../index.ts';
import type { ProjectPlace } from '../../../rows/match-projects.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

export interface QuotaPlace extends ProjectPlace {
  readonly user_id: string;
}

/** What is to become of a quota, and why. */
export type Wish = Omit<GrantRow, keyof QuotaPlace> & { readonly reason: string };

export interface ChangedQuota {
  readonly quota: Quota;
  /** Nothing where all was so before. */
  readonly change: Change | null;
}

/**
 * As one of many, because only those have a key: under it the change is made once, however often
 * its request must be sent.
 */
export async function changeQuota(
  client: Slipway,
  place: QuotaPlace,
  wish: Wish,
): Promise<ChangedQuota> {
  const [row] = await client.grantQuotas({ rows: [{ ...place, ...wish }] });
  if (row?.outcome === 'refused') throw explainRefusal(row.problem);
  if (row === undefined || row.outcome === 'not-done') {
    throw new CannotDo('The service had no time for it, and has done nothing.', {
      outcome: outcome.unreachable,
      next: 'Try again in a while.',
    });
  }
  return {
    quota: await client.getQuotaOfUser({ ...place, expand: 'usage' }),
    change: row.change,
  };
}

type Problem = Extract<GrantedRow, { outcome: 'refused' }>['problem'];

function explainRefusal(problem: Problem): CannotDo {
  const { time, space, charging = 'mixed' } = problem;
  if (nameOf(problem) !== 'quota-in-use' || !time || !space) {
    return new CannotDo(`${problem.title}.`, {
      outcome: outcome.refused,
      next: describeProblem(problem),
    });
  }
  return new CannotDo('So much cannot be taken away: jobs have used or reserved a part of it.', {
    outcome: outcome.refused,
    next:
      `At most ${writeRest(time.left, charging)} and ${writeSizeLeft(space.left * 1000)} of space ` +
      `can go: ${writeNodeTime(time.used, charging)} are used, and living jobs reserve ` +
      `${writeNodeTime(time.held, charging)}.`,
  });
}
