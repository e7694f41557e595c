import type { Job } from '#client/src/index.ts';

/**
 * The newest page, which is read again and again, before those that were read once. As far as the
 * newest page reaches, only what is on it counts: a job that no longer fits the filter is gone.
 */
export function mergeJobs(
  newest: readonly Job[],
  older: readonly Job[],
  pageSize: number,
): readonly Job[] {
  const last = newest.at(-1);
  if (newest.length < pageSize || !last) return newest;
  const seen = new Set<number>();
  return [...newest, ...older.filter(({ id }) => id < last.id)].filter(({ id }) => {
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
