import { randomUUID } from 'node:crypto';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Answer, ListedJob, Prepared, Target } from './target.ts';

export interface RoundOptions {
  readonly submissions: number;
  /** For how many of them the quota should suffice, if the target can choose. */
  readonly fits: number;
  readonly atOnce: number;
  /** How often the service is killed and started again meanwhile. */
  readonly kills?: number;
  /** Kills the service and starts it again with its data. */
  readonly kill?: () => Promise<void>;
}

export interface Verdict {
  readonly submissions: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  readonly kills: number;
  /** How many jobs the quota suffices for, and how many the service has in the end. */
  readonly fits: number;
  readonly jobs: number;
  /** Jobs beyond the quota. */
  readonly oversold: number;
  /** Accepted jobs that the service doesn't have. */
  readonly lost: number;
  /** Jobs beyond the first of one submission, and submissions that were given another one's job. */
  readonly doubled: number;
  /** Jobs that were refused although the quota would have sufficed. */
  readonly unsold: number;
  /** By how much the account differs from what its jobs take. */
  readonly astray: number;
  /** Jobs that ended meanwhile. They may give something back, so no other figure is exact then. */
  readonly ended: number;
}

/** Submits more jobs at once than the quota suffices for, and judges what the service made of it. */
export async function playRound(target: Target, options: RoundOptions): Promise<Verdict> {
  const { submissions, atOnce, kills = 0, kill } = options;
  const account = await target.prepare(options.fits);
  const fits = Math.floor(account.remaining / account.price);
  if (fits >= submissions) {
    throw new Error(
      `The quota suffices for ${fits} of these jobs. Ask for larger ones, or for more submissions.`,
    );
  }
  const run = `oversell ${randomUUID()} `;
  let accepted = 0;
  let killed = 0;
  let restart = Promise.resolve();
  const wishes = Array.from({ length: submissions }, (_, number) => `${run}${number}`);
  const answers = await mapInParallel(wishes, atOnce, async (title) => {
    const answer = await target.submit({ title });
    if (answer.kind === 'accepted') accepted += 1;
    // While jobs are still accepted, so that some are on their way at every kill.
    if (kill && killed < kills && accepted * (kills + 1) >= fits * (killed + 1)) {
      killed += 1;
      restart = restart.then(kill);
    }
    return answer;
  });
  await restart;
  const listed = await target.listJobs();
  const jobs = listed.filter(({ title }) => title.startsWith(run));
  const remaining = await target.readAccount();
  return { ...judgeRound(account, answers, jobs, remaining), kills: killed };
}

/** Compares what was answered with the jobs and the account that the service has in the end. */
export function judgeRound(
  { remaining: before, price }: Prepared,
  answers: readonly Answer[],
  jobs: readonly ListedJob[],
  after: number,
): Omit<Verdict, 'kills'> {
  const acceptedIds = answers.flatMap((answer) => (answer.kind === 'accepted' ? answer.jobId : []));
  const count = (kind: Answer['kind']) => answers.filter((answer) => answer.kind === kind).length;
  const fits = Math.floor(before / price);
  const listedIds = new Set(jobs.map(({ jobId }) => jobId));
  const lost = new Set(acceptedIds.filter((id) => !listedIds.has(id)));
  const titles = new Set(jobs.map(({ title }) => title));
  const refused = count('refused');
  return {
    submissions: answers.length,
    accepted: acceptedIds.length,
    refused,
    unanswered: count('unanswered'),
    fits,
    jobs: jobs.length,
    oversold: Math.max(0, jobs.length - fits),
    lost: lost.size,
    doubled: jobs.length - titles.size + (acceptedIds.length - new Set(acceptedIds).size),
    unsold: refused > 0 ? Math.max(0, fits - jobs.length) : 0,
    astray: Math.abs(before - jobs.length * price - after),
    ended: jobs.filter(({ ended }) => ended).length,
  };
}

export function isExact({ oversold, lost, doubled, unsold, astray, ended }: Verdict): boolean {
  return oversold + lost + doubled + unsold + astray + ended === 0;
}
