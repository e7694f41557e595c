import { type Addition, addUpEnds, nameKey } from '#lib/reports/count-ends.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import type { StoredSum, SumScope } from '#lib/reports/usage-item.ts';
import { addUsage, noUsage, type UsageSum } from '#lib/reports/usage-sum.ts';
import { projectMonthKey, userMonthKey } from '#lib/table/keys.ts';

/** Compares the stored sums of months with the ledgers, page by page. */
export function createComparison() {
  const expected = new Map<string, Addition>();
  const stored = new Map<string, StoredSum>();
  return {
    take(ends: readonly EndedJob[], sums: readonly StoredSum[]): void {
      for (const addition of addUpEnds(ends).filter(({ scope }) => isMonth(scope))) {
        const name = nameKey(addition.key);
        const before = expected.get(name)?.usage ?? noUsage;
        expected.set(name, { ...addition, usage: addUsage(before, addition.usage) });
      }
      for (const sum of sums.filter(isMonth)) stored.set(nameKey(keyOf(sum)), sum);
    },
    /** Describes each sum that differs in a line. */
    listDifferences(): string[] {
      return [...new Set([...expected.keys(), ...stored.keys()])].sort().flatMap((name) => {
        const ledgers = expected.get(name);
        const sum = stored.get(name);
        const scope = ledgers?.scope ?? sum;
        const words = explain(ledgers?.usage ?? noUsage, sum?.usage ?? noUsage);
        return scope && words.length > 0 ? [`${describe(scope)}: ${words.join(', ')}`] : [];
      });
    },
  };
}

/** Only months are compared, because days follow from the same writes. */
function isMonth({ time }: SumScope): boolean {
  return time.length === 'YYYY-MM'.length;
}

function keyOf({ user, hpc, project, time }: SumScope) {
  return user === undefined
    ? projectMonthKey({ hpc, project }, time)
    : userMonthKey({ user, hpc, project }, time);
}

const counted = { used: 'seconds used', jobs: 'jobs', failed: 'failed', cancelled: 'cancelled' };

function explain(ledgers: UsageSum, sum: UsageSum): string[] {
  const counts = (['used', 'jobs', 'failed', 'cancelled'] as const).flatMap((count) =>
    sum[count] === ledgers[count]
      ? []
      : [`${counted[count]} ${sum[count]}, by the ledgers ${ledgers[count]}`],
  );
  const times = (['waited', 'ran'] as const).flatMap((kind) =>
    sum[kind].join() === ledgers[kind].join() ? [] : [`other times that jobs ${kind}`],
  );
  return [...counts, ...times];
}

function describe({ user, hpc, project, time }: SumScope): string {
  return `${time} ${user === undefined ? '' : `${user} `}${hpc}/${project}`;
}
