import { type Job, placeOf, type Slipway } from '#client/src/index.ts';
import { type Act, countJobs } from './describe-discard.ts';

export interface Discarded {
  /** As they are now. */
  readonly jobs: readonly Job[];
  /** Changed before they could be cancelled or deleted: they were left alone. */
  readonly late: number;
  readonly errors: readonly unknown[];
}

const wanted = { cancel: 'CANCELED', delete: 'DELETED' } as const satisfies Record<Act, string>;

/**
 * One after the other, so that a refusal of one is no burden for the others. Each request says what it
 * is for, because a cancel that comes late would otherwise delete the files of an ended job.
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

const past = { cancel: 'cancelled', delete: 'deleted' } as const satisfies Record<Act, string>;

/** What came of it, in a sentence or two. */
export function describeDiscarded(act: Act, { jobs, late, errors }: Discarded): string {
  const done = jobs.length - late;
  const verb = (count: number) => (count === 1 ? 'is' : 'are');
  const sentences = [
    `${countJobs(done)} ${verb(done)} ${past[act]}.`,
    ...(late > 0 ? [`${countJobs(late)} changed meanwhile and ${verb(late)} left alone.`] : []),
    ...(errors.length > 0 ? [`${countJobs(errors.length)} could not be ${past[act]}.`] : []),
  ];
  return sentences.join(' ');
}
