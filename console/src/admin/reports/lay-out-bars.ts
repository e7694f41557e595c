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

/** The largest first. */
export function layOutBars(rows: readonly ReportRow[], by: Group): readonly Bar[] {
  const named = rows
    .map((row) => ({ name: nameRow(row, by), seconds: row.time_used }))
    .toSorted((a, b) => b.seconds - a.seconds);
  return measure(gather(named));
}

interface Named {
  readonly name: string;
  readonly seconds: number;
}

export function measure(named: readonly Named[]): readonly Bar[] {
  const longest = Math.max(1, ...named.map(({ seconds }) => seconds));
  return named.map((each) => ({ ...each, share: each.seconds / longest }));
}

function gather(sorted: readonly Named[]): readonly Named[] {
  if (sorted.length <= mostBars) return sorted;
  const others = sorted.slice(mostBars - 1);
  const seconds = others.reduce((sum, each) => sum + each.seconds, 0);
  return [...sorted.slice(0, mostBars - 1), { name: `${others.length} others`, seconds }];
}
