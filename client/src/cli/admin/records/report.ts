import { Command } from '@commander-js/extra-typings';
import type { ReportRow } from '../../../index.ts';
import { findProject } from '../../account/find-project.ts';
import { readCharging } from '../../account/read-charging.ts';
import { usageColumns } from '../../account/usage.ts';
import type { Open } from '../../session/open.ts';
import { readPastDayOption } from '../../session/read-options.ts';
import { showList } from '../../session/show-list.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { readUser } from '../act/read-user.ts';

const mostOfPage = 1000;

export function createReport(open: Open) {
  return new Command('report')
    .description('show what ended jobs used')
    .option(
      '--by <what>',
      'a row for each user, project, system, day, month, or two of them',
      'user',
    )
    .option('--since <day>', 'from this day or month on (default: this month)', readPastDayOption)
    .option('--until <day>', 'up to and with this day or month', readPastDayOption)
    .option('--user <user>', 'only what this user used', readUser)
    .option('--hpc <hpc>', 'only on this HPC system')
    .option('--project <project>', 'only in this project')
    .option('--csv', 'as CSV, with all fields; times in seconds, but hours_used')
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin report',
        'slipway admin report --by user,month --since 2026-01 --csv > usage.csv',
      ),
    )
    .action(async ({ csv, project, ...filter }, command) => {
      const session = open(command);
      const client = session.connect();
      const place = project === undefined ? {} : await findProject(client, project);
      const [rows, chargingOf] = await Promise.all([
        take(client.reportUsage({ ...filter, ...place, limit: mostOfPage }), Infinity),
        readCharging(client),
      ]);
      const only = { ...filter, ...place }.hpc?.toUpperCase();
      showList(session, {
        rows: csv ? rows.map(withHours) : rows,
        columns: usageColumns(filter.by.split(','), rows, (hpc = only) => chargingOf(hpc)),
        csv,
        none: 'Nothing was used. Another time: add --since, such as --since 2026-01',
      });
    });
}

/** People count in hours: of nodes, of cores or by the clock, as the system charges. */
function withHours(row: ReportRow) {
  return { ...row, hours_used: Math.round((row.time_used / 3600) * 1e4) / 1e4 };
}
