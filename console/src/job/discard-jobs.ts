import { type Job, placeOf, type Slipway } from '#client/src/index.ts';

/** What discarding does to a job: a deleted one has nothing left to discard. */
export type Fate = 'cancel' | 'delete' | 'keep';

export function fateOf({
  stage,
  terminal_stage: ended,
}: Pick<Job, 'stage' | 'terminal_stage'>): Fate {
  if (!ended) return 'cancel';
  return stage === 'DELETED' ? 'keep' : 'delete';
}

/** What became of a job that somebody wanted to cancel or delete. */
export function describeFate(wish: 'cancel' | 'delete', { stage }: Pick<Job, 'stage'>): string {
  if (stage === 'DELETED') return 'The job is deleted.';
  if (wish === 'delete') {
    return 'The job cannot be deleted yet: its system has still to say how long it ran. Try again later.';
  }
  return stage === 'CANCELED'
    ? 'The job is cancelled.'
    : 'The job had ended before it could be cancelled.';
}

export type Act = Exclude<Fate, 'keep'>;

/** Those of the marked jobs that can be cancelled, or deleted. */
export function jobsFor(act: Act, marked: readonly Job[]): readonly Job[] {
  return marked.filter((job) => fateOf(job) === act);
}

/** `1 job`, `2 jobs`. */
export function countJobs(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'job' : 'jobs'}`;
}

const effects = {
  cancel:
    'ended on the system and cannot be continued. You are charged for the time that was run; the rest is given back.',
  delete:
    'deleted: the files are removed for good and the space is given back. What was run and used stays in your lists.',
} as const satisfies Record<Act, string>;

/** A sentence for each kind among the marked jobs: what happens to it, or that nothing does. */
export function describeDiscard(act: Act, marked: readonly Job[]): readonly string[] {
  const done = jobsFor(act, marked).length;
  const others = marked.length - done;
  const state = act === 'cancel' ? 'has ended already' : 'still lives or is deleted';
  const states = act === 'cancel' ? 'have ended already' : 'still live or are deleted';
  return [
    `${countJobs(done)} ${done === 1 ? 'is' : 'are'} ${effects[act]}`,
    ...(others > 0
      ? [
          `${countJobs(others)} ${others === 1 ? `${state} and stays as it is` : `${states} and stay as they are`}.`,
        ]
      : []),
  ];
}

interface Discarded {
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
