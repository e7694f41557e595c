import type { Job, Status } from '#client/src/index.ts';
import { systemOf } from '../address/system-of.ts';

export type System = Status['systems'][number];

export function systemsDown({ systems }: Status): readonly System[] {
  return systems.filter(({ status }) => status === 'down');
}

/** What it means for one's jobs that systems are down: those that wait, and those that run there. */
export function describeOutage(down: readonly System[], living: readonly Job[]): readonly string[] {
  const names = down.map(systemOf);
  const there = living.filter((job) => names.includes(systemOf(job))).length;
  const it = names.length === 1 ? 'it is' : 'they are';
  return [
    there === 0
      ? 'None of your jobs is there.'
      : `${there === 1 ? '1 of your jobs is' : `${there} of your jobs are`} there: what waits is handed over when ${it} back, and what runs goes on running, but its stage is not seen until then.`,
    'You can go on submitting: jobs wait here meanwhile, and nothing is lost.',
  ];
}
