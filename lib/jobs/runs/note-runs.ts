import type { JobRun } from '#lib/hpc/connector.ts';
import { type JobLife, runsKept } from '../life/job-life.ts';

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
