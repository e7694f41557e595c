import { writeDay } from '#client/format/write-day.ts';
import type { ReportRow } from '#client/index.ts';
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
    case 'day':
      return row.day === undefined ? '' : writeDay(row.day);
    case 'month':
      return row.month === undefined ? '' : writeDay(`${row.month}-01`).replace(/^\d+ /, '');
  }
}
