import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobRun } from '#lib/hpc/connector.ts';

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
