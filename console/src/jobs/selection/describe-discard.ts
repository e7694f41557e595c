import type { Job } from '#client/src/index.ts';
import { type Fate, fateOf } from '../../job/fate-of.ts';

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
