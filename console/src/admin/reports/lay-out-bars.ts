import { type Charging, joinCharging } from '#client/src/format/write-node-time.ts';
import type { ReportRow } from '#client/src/index.ts';
import { nameRow } from './name-row.ts';
import type { Group } from './report-filters.ts';

export interface Bar {
  readonly name: string;
  readonly seconds: number;
  /** Of the longest, from 0 to 1. */
  readonly share: number;
}

/** So many bars can be told apart; what is smaller is put together. */
const mostBars = 12;

/** What a row is counted in, by its system; without one, all rows together. */
export type UnitOf = (projectHpc?: string) => Charging;

export interface NamedBar extends Bar {
  readonly charging: Charging;
}

/** The largest first. */
export function layOutBars(
  rows: readonly ReportRow[],
  by: Group,
  unitOf: UnitOf,
): readonly NamedBar[] {
  const named = rows
    .map((row) => ({
      name: nameRow(row, by),
      seconds: row.time_used,
      charging: unitOf(row.project_hpc),
    }))
    .toSorted((a, b) => b.seconds - a.seconds);
  return measure(gather(named));
}

interface Named {
  readonly name: string;
  readonly seconds: number;
}

interface NamedRow extends Named {
  readonly charging: Charging;
}

export function measure<Each extends Named>(named: readonly Each[]): readonly (Each & Bar)[] {
  const longest = Math.max(1, ...named.map(({ seconds }) => seconds));
  return named.map((each) => ({ ...each, share: each.seconds / longest }));
}

function gather(sorted: readonly NamedRow[]): readonly NamedRow[] {
  if (sorted.length <= mostBars) return sorted;
  const others = sorted.slice(mostBars - 1);
  const seconds = others.reduce((sum, each) => sum + each.seconds, 0);
  const charging = joinCharging(others.map((each) => each.charging));
  return [...sorted.slice(0, mostBars - 1), { name: `${others.length} others`, seconds, charging }];
}
