import { writeDay } from '#client/src/format/write-day.ts';
import type { ReportRow } from '#client/src/index.ts';
import type { Group } from './report-filters.ts';

/** What a row of a report is of, in words. */
export function nameRow(row: ReportRow, by: Group): string {
  switch (by) {
    case 'user':
      return row.user ?? '';
    case 'project':
      return row.project_name ?? '';
    case 'system':
      return row.project_hpc?.toLowerCase() ?? '';
    default:
      return nameMoment(row.day ?? row.month ?? '');
  }
}

/** `2026-11-15` is a day, `2026-11` a month. */
export function nameMoment(moment: string): string {
  const day = writeDay(moment);
  return moment.length === '2026-11'.length ? day.replace(/^\d+ /, '') : day;
}
