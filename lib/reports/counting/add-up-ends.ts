import type { EndedJob } from '../ended-job.ts';
import { addUsage, noUsage, type UsageSum, usageOf } from '../usage-sum.ts';
import { listSums, type SumPlace } from './list-sums.ts';
import { nameKey } from './name-key.ts';

/** What is added to one sum. */
export interface Addition extends SumPlace {
  readonly usage: UsageSum;
}

/** What ends come to in each of the sums that they belong to: each is written once for all of them. */
export function addUpEnds(ends: readonly EndedJob[]): Addition[] {
  const additions = new Map<string, Addition>();
  for (const end of ends) {
    const own = usageOf(end);
    for (const place of listSums(end)) {
      const name = nameKey(place.key);
      const usage = addUsage(additions.get(name)?.usage ?? noUsage, own);
      additions.set(name, { ...place, usage });
    }
  }
  return [...additions.values()];
}
