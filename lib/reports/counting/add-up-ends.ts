import type { EndedJob } from '../ended-job.ts';
import { addUsage, noUsage, type UsageSum, usageOf } from '../usage-sum.ts';
import { listSums, type SumPlace } from './list-sums.ts';

/** What is added to one sum. */
export interface Addition extends SumPlace {
  readonly usage: UsageSum;
}

/** What ends come to in each of the sums that they belong to: each is written once for all of them. */
export function addUpEnds(ends: readonly EndedJob[]): Addition[] {
  const additions = new Map<string, Addition>();
  for (const end of ends) {
    for (const place of listSums(end)) {
      const name = nameOf(place);
      const usage = addUsage(additions.get(name)?.usage ?? noUsage, usageOf(end));
      additions.set(name, { ...place, usage });
    }
  }
  return [...additions.values()];
}

/**
 * Ends in groups that can be written at once: one mark for each, and their sums. They are sorted
 * first, so that those which share sums come together.
 */
export function packEnds(ends: readonly EndedJob[], mostWrites: number): EndedJob[][] {
  const packs: EndedJob[][] = [];
  let pack: EndedJob[] = [];
  let names = new Set<string>();
  for (const end of sortByAccount(ends)) {
    const own = listSums(end).map(nameOf);
    const together = new Set([...names, ...own]);
    if (pack.length + 1 + together.size > mostWrites) {
      packs.push(pack);
      pack = [];
      names = new Set(own);
    } else names = together;
    pack.push(end);
  }
  return pack.length > 0 ? [...packs, pack] : packs;
}

function sortByAccount(ends: readonly EndedJob[]): EndedJob[] {
  const placeOf = ({ account: { hpc, project, user }, at }: EndedJob) =>
    `${hpc} ${project} ${user} ${at.toISOString()}`;
  return [...ends].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function nameOf({ key }: SumPlace): string {
  return `${key.PK} ${key.SK}`;
}
