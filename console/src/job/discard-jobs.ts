import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { type Job, placeOf, type Slipway } from '#client/src/index.ts';
import { phrase } from './words.ts';

export type Act = 'cancel' | 'delete';

/** Returns what can still be done to a job. Returns undefined for a deleted one. */
export function discardActFor({
  stage,
  terminal_stage: ended,
}: Pick<Job, 'stage' | 'terminal_stage'>): Act | undefined {
  if (!ended) return 'cancel';
  return stage === 'DELETED' ? undefined : 'delete';
}

/** Says what happened to a job that somebody wanted to cancel or delete. */
export function describeResult(act: Act, { stage }: Pick<Job, 'stage'>): string {
  if (stage === 'DELETED') return phrase('jobDeleted');
  if (act === 'delete') return phrase('notDeletedYet');
  return stage === 'CANCELED' ? phrase('jobCancelled') : phrase('endedBefore');
}

/** Returns the selected jobs that can be cancelled or deleted. */
export function jobsFor(act: Act, marked: readonly Job[]): readonly Job[] {
  return marked.filter((job) => discardActFor(job) === act);
}

/** Writes `1 job`, `2 jobs`, or `200+ jobs` if there may be more. */
export function countJobs(count: number, mayHaveMore = false): string {
  return mayHaveMore ? phrase('jobsOrMore', { count }) : writeCount(count, 'job');
}

/** Says what happens to the selected jobs, and which of them stay as they are. */
export function describeEffects(act: Act, marked: readonly Job[]): readonly string[] {
  const count = jobsFor(act, marked).length;
  const others = { count: marked.length - count };
  const [effect, unchanged] =
    act === 'cancel'
      ? [phrase('willStop', { count }), phrase('haveEnded', others)]
      : [phrase('willBeDeleted', { count }), phrase('areActive', others)];
  return others.count > 0 ? [effect, unchanged] : [effect];
}

interface Discarded {
  /** The jobs after the requests. */
  readonly jobs: readonly Job[];
  /** How many jobs changed before the request arrived, and were left alone. */
  readonly late: number;
  readonly errors: readonly unknown[];
}

const wanted = { cancel: 'CANCELED', delete: 'DELETED' } as const satisfies Record<Act, string>;

/**
 * Discards one job after the other, so that a refused one does not stop the others. Each request says
 * what it is for: a cancel that comes late would otherwise delete the files of an ended job.
 */
export async function discardJobs(
  service: Slipway,
  act: Act,
  marked: readonly Job[],
): Promise<Discarded> {
  const jobs: Job[] = [];
  const errors: unknown[] = [];
  let late = 0;
  for (const job of marked) {
    try {
      const now = await service.deleteJob({ ...placeOf(job), only: act });
      if (now.stage !== wanted[act]) late += 1;
      jobs.push(now);
    } catch (error) {
      errors.push(error);
    }
  }
  return { jobs, late, errors };
}

export function describeResults(act: Act, { jobs, late, errors }: Discarded): string {
  const done = { count: jobs.length - late };
  const refused = { count: errors.length };
  const [changed, unchanged] =
    act === 'cancel'
      ? [phrase('cancelled', done), phrase('notCancelled', refused)]
      : [phrase('deleted', done), phrase('notDeleted', refused)];
  const sentences = [
    changed,
    ...(late > 0 ? [phrase('cameLate', { count: late })] : []),
    ...(refused.count > 0 ? [unchanged] : []),
  ];
  return sentences.join(' ');
}
