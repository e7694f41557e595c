import type { ReportRow } from '#client/index.ts';
import { nameRow } from './name-row.ts';
import type { Group } from './report-filters.ts';

export interface Bar {
  readonly key: string;
  readonly name: string;
  readonly seconds: number;
  /** Of the longest, from 0 to 1. */
  readonly share: number;
}

/** So many bars can be told apart; what is smaller is put together. */
const mostBars = 12;

/** The largest first, except that days and months stay in their order and are all there. */
export function layOutBars(rows: readonly ReportRow[], by: Group): readonly Bar[] {
  const inTime = by === 'day' || by === 'month';
  const named = rows.map((row, index) => ({
    key: String(index),
    name: nameRow(row, by),
    seconds: row.time_used,
  }));
  const ordered = inTime ? named : gather(named.toSorted((a, b) => b.seconds - a.seconds));
  const longest = Math.max(1, ...ordered.map(({ seconds }) => seconds));
  return ordered.map((bar) => ({ ...bar, share: bar.seconds / longest }));
}

interface Named {
  readonly key: string;
  readonly name: string;
  readonly seconds: number;
}

function gather(sorted: readonly Named[]): readonly Named[] {
  if (sorted.length <= mostBars) return sorted;
  const others = sorted.slice(mostBars - 1);
  const seconds = others.reduce((sum, each) => sum + each.seconds, 0);
  return [
    ...sorted.slice(0, mostBars - 1),
    { key: 'others', name: `${others.length} others`, seconds },
  ];
}
