import { type Job, placeOf, type Slipway } from '#client/src/index.ts';

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
  if (stage === 'DELETED') return 'Job deleted.';
  if (act === 'delete') {
    return 'The job cannot be deleted yet, because its system has not reported how long it ran. Try again later.';
  }
  return stage === 'CANCELED' ? 'Job cancelled.' : 'The job ended before it could be cancelled.';
}

/** Returns the selected jobs that can be cancelled or deleted. */
export function jobsFor(act: Act, marked: readonly Job[]): readonly Job[] {
  return marked.filter((job) => discardActFor(job) === act);
}

/** Writes `1 job`, `2 jobs`, or `200+ jobs` if there may be more. */
export function countJobs(count: number, mayHaveMore = false): string {
  const jobs = count === 1 && !mayHaveMore ? 'job' : 'jobs';
  return `${count.toLocaleString('en-US')}${mayHaveMore ? '+' : ''} ${jobs}`;
}

/** Says what happens to the selected jobs, and which of them stay as they are. */
export function describeEffects(act: Act, marked: readonly Job[]): readonly string[] {
  const done = jobsFor(act, marked).length;
  const others = marked.length - done;
  return [
    act === 'cancel'
      ? `${countJobs(done)} will stop and cannot be resumed. You are charged for the time used so far; the rest is returned.`
      : `${countJobs(done)} will be deleted with all files, and the space is returned. Your lists still show what was used.`,
    ...(others > 0 ? [`${countJobs(others)} will stay unchanged: ${whyUnchanged[act]}.`] : []),
  ];
}

const whyUnchanged = {
  cancel: 'already ended',
  delete: 'still active or already deleted',
} as const satisfies Record<Act, string>;

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

export const past = { cancel: 'cancelled', delete: 'deleted' } as const satisfies Record<
  Act,
  string
>;

export function describeResults(act: Act, { jobs, late, errors }: Discarded): string {
  const done = jobs.length - late;
  const sentences = [
    `${countJobs(done)} ${past[act]}.`,
    ...(late > 0 ? [`${countJobs(late)} changed in the meantime and stayed as before.`] : []),
    ...(errors.length > 0 ? [`${countJobs(errors.length)} could not be ${past[act]}.`] : []),
  ];
  return sentences.join(' ');
}
