import { monthOf } from '../counted-period.ts';
import type { StoredSum } from '../usage-item.ts';
import { addUsage, noUsage } from '../usage-sum.ts';
import type { Dimension, ReportRow, RowNames } from './report.ts';

/** The rows that sums make, in the order of their names and times. */
export function groupSums(by: readonly Dimension[], sums: readonly StoredSum[]): ReportRow[] {
  const groups = Map.groupBy(sums, (sum) => writeNames(nameRow(by, sum)));
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined
        ? []
        : [
            {
              names: nameRow(by, first),
              usage: [first, ...others].reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
            },
          ],
    );
}

function nameRow(by: readonly Dimension[], { user, hpc, project, time }: StoredSum): RowNames {
  const isBy = (dimension: Dimension) => by.includes(dimension);
  return {
    ...(isBy('user') && user !== undefined && { user }),
    ...((isBy('system') || isBy('project')) && { hpc }),
    ...(isBy('project') && { project }),
    ...(isBy('day') && { day: time }),
    ...(isBy('month') && { month: monthOf(time) }),
  };
}

/** No name holds a space, which stands before all that a name can hold. */
function writeNames({ user, hpc, project, day, month }: RowNames): string {
  return [user, hpc, project, day, month].join(' ');
}
