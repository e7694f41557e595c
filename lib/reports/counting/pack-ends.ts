import type { EndedJob } from '../ended-job.ts';
import { listSums } from './list-sums.ts';
import { nameKey } from './name-key.ts';

/**
 * Ends in groups that can be written at once: one mark for each, and their sums. They are sorted
 * first, so that those which share sums come together.
 */
export function packEnds(ends: readonly EndedJob[], mostItems: number): EndedJob[][] {
  const packs: EndedJob[][] = [];
  let pack: EndedJob[] = [];
  let sums = new Set<string>();
  for (const end of sortByAccount(ends)) {
    const own = listSums(end).map(({ key }) => nameKey(key));
    const together = new Set([...sums, ...own]);
    const fits = pack.length + 1 + together.size <= mostItems;
    if (!fits) packs.push(pack);
    pack = fits ? [...pack, end] : [end];
    sums = fits ? together : new Set(own);
  }
  return pack.length > 0 ? [...packs, pack] : packs;
}

function sortByAccount(ends: readonly EndedJob[]): EndedJob[] {
  const placeOf = ({ account: { hpc, project, user }, at }: EndedJob) =>
    `${hpc} ${project} ${user} ${at.toISOString()}`;
  return [...ends].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
