import type { ReportRow } from '#client/src/index.ts';
import { type Bar, measure } from './lay-out-bars.ts';
import { nameMoment } from './name-row.ts';
import type { ReportFilters } from './report-filters.ts';

const dayMs = 86_400_000;

/** One column for each day or month of a period, also for those in which nothing was used. */
export function layOutTime(
  rows: readonly ReportRow[],
  { by, since, until }: ReportFilters,
): readonly Bar[] {
  const used = new Map(rows.map(({ day, month, time_used: seconds }) => [day ?? month, seconds]));
  const days = listDays(since, until);
  const moments = by === 'day' ? days : [...new Set(days.map((day) => day.slice(0, 7)))];
  return measure(
    moments.map((moment) => ({ name: nameMoment(moment), seconds: used.get(moment) ?? 0 })),
  );
}

function listDays(since: string, until: string): readonly string[] {
  const count = Math.round((Date.parse(until) - Date.parse(since)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(Date.parse(since) + index * dayMs).toISOString().slice(0, 10),
  );
}
