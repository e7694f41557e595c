import type { Job } from '#client/src/index.ts';

export interface Urgent {
  readonly job: Job;
  readonly why: string;
}

const longWaitMs = 60 * 60 * 1000;
const most = 6;

/** The jobs that somebody should look at: those that failed since they were here, and long waits. */
export function chooseUrgent(
  jobs: readonly Job[],
  { since, now }: { readonly since: string; readonly now: Date },
): readonly Urgent[] {
  const failed = jobs
    .filter(({ failed, end_date: end }) => failed && end !== null && end >= since)
    .map((job) => ({ job, why: 'failed' }));
  const waiting = jobs
    .filter(({ terminal_stage: ended }) => !ended)
    .filter(({ init_date: begun }) => now.getTime() - Date.parse(begun) > longWaitMs)
    .map((job) => ({ job, why: 'takes long' }));
  return [...failed, ...waiting].slice(0, most);
}
