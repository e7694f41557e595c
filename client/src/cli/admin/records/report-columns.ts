import { writeDuration } from '../../../format/write-duration.ts';
import { nameUnit, writeNodeHours } from '../../../format/write-node-time.ts';
import type { ReportRow, System } from '../../../index.ts';
import type { Column } from '../../screen/write-table.ts';

/** What a row is of, as far as the report goes by it, then what was used. */
export function reportColumns(
  rows: readonly ReportRow[],
  systems: readonly System[],
): readonly Column<ReportRow>[] {
  const of: readonly Column<ReportRow>[] = [
    { head: 'USER', cell: ({ user = '' }) => user },
    { head: 'SYSTEM', cell: ({ project_hpc: hpc = '' }) => hpc.toLowerCase() },
    { head: 'PROJECT', cell: ({ project_name: project = '' }) => project, shrinks: true },
    { head: 'MONTH', cell: ({ month = '' }) => month },
    { head: 'DAY', cell: ({ day = '' }) => day },
  ];
  return [
    ...of.filter(({ cell }) => rows.some((row) => cell(row) !== '')),
    {
      head: 'USED',
      cell: (row) => `${writeNodeHours(row.time_used)} ${nameUnitOf(row, systems)}`,
      align: 'right',
    },
    { head: 'JOBS', cell: ({ jobs_ended: count }) => String(count), align: 'right' },
    { head: 'FAILED', cell: ({ jobs_failed: count }) => String(count), align: 'right', spare: 1 },
    {
      head: 'CANCELED',
      cell: ({ jobs_cancelled: count }) => String(count),
      align: 'right',
      spare: 2,
    },
    { head: 'WAITED', cell: (row) => writeTime(row.queue_time_median), align: 'right', spare: 3 },
    { head: 'RAN', cell: (row) => writeTime(row.run_time_median), align: 'right', spare: 4 },
  ];
}

/** A row over several systems may be a sum of hours of nodes and of cores. */
function nameUnitOf({ project_hpc: hpc }: ReportRow, systems: readonly System[]): string {
  const own = systems.filter((system) => hpc === undefined || system.project_hpc === hpc);
  const [charging = 'node', ...others] = new Set(own.map((system) => system.charging));
  return others.length > 0 ? 'hours' : nameUnit(charging);
}

/** Half of the jobs took no longer. */
function writeTime(seconds: number | null): string {
  return seconds === null ? '' : writeDuration(seconds);
}
