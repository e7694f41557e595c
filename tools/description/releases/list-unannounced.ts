import type { Break } from './break.ts';

/**
 * The breaks that no line of the changelog announces: one under "Unreleased" that says **Breaking**
 * and has the name of what breaks, as `Job.title`.
 */
export function listUnannounced(breaks: readonly Break[], changelog: string): Break[] {
  const [, unreleased = ''] = changelog.split(/^## Unreleased$/m);
  const [current = ''] = unreleased.split(/^## /m);
  const lines = current.split('\n').filter((line) => line.includes('**Breaking**'));
  return breaks.filter(({ name }) => !lines.some((line) => line.includes(`\`${name}\``)));
}
