import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobRun } from '#lib/hpc/connector.ts';
import { type JobLife, runsKept } from './job-life.ts';

/** The wall-clock seconds of all runs of a job. */
export interface CountedRuns {
  readonly charged: number;
  /** Seconds that the system counts too, in runs that are not charged. */
  readonly lost: number;
}

/**
 * Decides which runs of a job are charged, on every kind of system (docs/charging.md). A run that
 * the job itself, its owner or an administrator of the system ended was used for the owner. A run
 * that the system lost gave its owner nothing, so it is charged only if the catalog says so.
 */
export function countRuns(
  runs: readonly Pick<JobRun, 'seconds' | 'isLost'>[],
  { chargesLostRuns = false }: Pick<HpcSystem, 'chargesLostRuns'>,
): CountedRuns {
  const isFree = ({ isLost }: Pick<JobRun, 'isLost'>) => isLost && !chargesLostRuns;
  const sum = (some: readonly Pick<JobRun, 'seconds'>[]) =>
    some.reduce((total, { seconds }) => total + seconds, 0);
  return {
    charged: sum(runs.filter((run) => !isFree(run))),
    lost: sum(runs.filter(isFree)),
  };
}

/** A run before the one that counts, as the timeline tells it. */
export type EarlierRun = NonNullable<JobLife['runs']>[number];

/**
 * Adds what a system reports about earlier runs to those that are known. Returns undefined without
 * news. A run is told once it has ended, so a known one changes only if the system had not told its
 * end.
 */
export function noteRuns(
  { runs = [], sent = [] }: Pick<JobLife, 'runs' | 'sent'>,
  reported: readonly JobRun[] = [],
): readonly EarlierRun[] | undefined {
  const known = new Map(runs.map((run) => [run.number, run]));
  const isNews = reported.some(({ number, seconds }) => known.get(number)?.seconds !== seconds);
  if (!isNews) return undefined;
  const sizes = new Map(sent.map(({ run, bytes }) => [run, bytes]));
  for (const { number, ...run } of reported) {
    known.set(number, { ...run, number, sentBytes: sizes.get(number) });
  }
  return [...known.values()].toSorted((one, other) => one.number - other.number).slice(-runsKept);
}
