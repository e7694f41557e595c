import { Command } from '@commander-js/extra-typings';
import { writeDuration } from '../../format/write-duration.ts';
import {
  joinCharging,
  nameUnit,
  writeNodeHours,
  writeNodeTime,
} from '../../format/write-node-time.ts';
import type { ReportRow } from '../../index.ts';
import type { Column } from '../screen/write-table.ts';
import type { Open } from '../session/open.ts';
import { readPastDayOption } from '../session/read-options.ts';
import { showList } from '../session/show-list.ts';
import { writeExamples } from '../session/write-examples.ts';
import { type ChargingOf, readCharging } from './read-charging.ts';

export function createUsage(open: Open) {
  return new Command('usage')
    .description('show what your ended jobs used')
    .option('--by <what>', 'a row for each: project, system, day, month, or two of them', 'project')
    .option('--since <day>', 'from this day or month on (default: this month)', readPastDayOption)
    .option('--until <day>', 'to this day or month', readPastDayOption)
    .option('--csv', 'as CSV, in seconds')
    .addHelpText(
      'after',
      writeExamples('slipway usage', 'slipway usage --by project,month --since 2026-01 --csv'),
    )
    .action(async ({ by, since, until, csv }, command) => {
      const session = open(command);
      const client = session.connect();
      const [rows, chargingOf] = await Promise.all([
        client.readUsage({ by, since, until }),
        readCharging(client),
      ]);
      showList(session, {
        rows,
        columns: usageColumns(by.split(','), rows, chargingOf),
        csv,
        none: 'No job has ended in that time.',
      });
    });
}

const heads = {
  user: { head: 'USER', cell: (row: ReportRow) => row.user ?? '' },
  system: { head: 'SYSTEM', cell: (row: ReportRow) => row.project_hpc?.toLowerCase() ?? '' },
  project: { head: 'PROJECT', cell: (row: ReportRow) => row.project_name ?? '' },
  day: { head: 'DAY', cell: (row: ReportRow) => row.day ?? '' },
  month: { head: 'MONTH', cell: (row: ReportRow) => row.month ?? '' },
} as const satisfies Record<string, Column<ReportRow>>;

/** What a report is of, then its numbers. */
export function usageColumns(
  by: readonly string[],
  rows: readonly ReportRow[],
  chargingOf: ChargingOf,
): Column<ReportRow>[] {
  const span = (seconds: number | null) => (seconds === null ? '' : writeDuration(seconds));
  return [
    ...Object.entries(heads)
      .filter(([name]) => by.includes(name))
      .map(([, column]) => column),
    usedColumn(rows, chargingOf),
    { head: 'JOBS', cell: (row) => String(row.jobs_ended), align: 'right' },
    { head: 'FAILED', cell: (row) => String(row.jobs_failed), align: 'right', spare: 1 },
    { head: 'CANCELLED', cell: (row) => String(row.jobs_cancelled), align: 'right', spare: 2 },
    { head: 'WAITED', cell: (row) => span(row.queue_time_median), align: 'right', spare: 4 },
    { head: 'RAN', cell: (row) => span(row.run_time_median), align: 'right', spare: 3 },
  ];
}

/** Where systems of one table charge differently, each number has its own unit beside it. */
function usedColumn(rows: readonly ReportRow[], chargingOf: ChargingOf): Column<ReportRow> {
  const unit = joinCharging(rows.map((row) => chargingOf(row.project_hpc)));
  return unit === 'mixed'
    ? {
        head: 'USED',
        cell: (row) => writeNodeTime(row.time_used, chargingOf(row.project_hpc)),
        align: 'right',
      }
    : {
        head: nameUnit(unit).toUpperCase(),
        cell: (row) => writeNodeHours(row.time_used),
        align: 'right',
      };
}
