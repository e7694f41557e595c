import type { Command } from '@commander-js/extra-typings';
import { budgetAsQuota } from '../../changes/change-share.ts';
import {
  type Charging,
  joinCharging,
  nameUnit,
  writeHoursAfter,
  writeLeft,
  writeNodeHours,
  writeNodeTime,
  writeSize,
  writeSizeLeft,
} from '../../format/amounts.ts';
import { writeDay, writeMoment } from '../../format/day.ts';
import { writeUsedShare } from '../../format/describe-usage.ts';
import { writeDuration } from '../../format/duration.ts';
import { writeAge } from '../../format/write-age.ts';
import { writeCount } from '../../format/write-number.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import type { LedgerLine, Quota, ReportRow, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { writeCsv } from '../../rows/write-csv.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readCount, readPastDayOption, readPastOption } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { type Column, type Screen, writeBar } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';

export function createQuotas(open: Open) {
  return createCommand('quotas', 'show your remaining quotas', 'slipway quotas')
    .argument('[hpc]', 'name of an HPC system')
    .option('--csv', 'print CSV, in seconds and kilobytes')
    .action(async (hpc, options, command) => {
      const { client, screen, json } = open(command);
      const [quotas, chargingOf] = await Promise.all([
        client.listQuotas({ expand: 'usage', ...(hpc !== undefined && { hpc }) }),
        readCharging(client),
      ]);
      if (json) return screen.say(JSON.stringify(quotas, null, 2));
      if (options.csv) return screen.raw(writeCsv(quotas));
      screen.say(...(await describeQuotas(client, quotas, chargingOf, screen)));
      if (quotas.length === 0) screen.tell('You have no quotas. Ask for one: slipway ask --help');
    });
}

/** Describes quotas. In a shared project, describes the budget that jobs of members draw from. */
export async function describeQuotas(
  client: Slipway,
  quotas: readonly Quota[],
  chargingOf: ChargingOf,
  screen: Screen,
): Promise<string[]> {
  const projects = quotas.length > 0 ? await client.listProjects() : [];
  const shared = new Set(projects.filter((each) => each.shared).map(({ id }) => id));
  const lines = quotas.map(async (quota) => {
    const { project, project_hpc: hpc, project_name } = quota;
    const charging = chargingOf(hpc);
    if (!shared.has(project)) return describeQuota(quota, charging, screen);
    const led = await client.getBudget({ hpc: hpc.toLowerCase(), project_name });
    const notes = ['shared by all members'];
    return describeQuota(budgetAsQuota(led) ?? quota, charging, screen, notes);
  });
  return (await Promise.all(lines)).flat();
}

const barWidth = 24;

/** Describes a quota in two lines: the time, then the rest. */
export function describeQuota(
  quota: Quota,
  charging: Charging,
  { paint }: Pick<Screen, 'paint'>,
  more: readonly string[] = [],
): string[] {
  const { usage, project_name: project, project_hpc: hpc } = quota;
  const name = paint('bold', `${project}`);
  if (!usage) return [`${name}  ${writeNodeTime(quota.time_left, charging)} left`];
  const { time, space } = usage;
  const share = time.granted > 0 ? time.left / time.granted : 0;
  const colour = share < 0.1 ? 'red' : 'green';
  const bar = paint(colour, writeBar(share, barWidth));
  const notes = [
    `${writeSizeLeft(space.left * 1000)} of ${writeSize(space.granted * 1000)} space left`,
    ...more,
    ...(time.held > 0 ? [`${writeNodeTime(time.held, charging)} reserved`] : []),
    ...(usage.living_jobs > 0 ? [writeCount(usage.living_jobs, 'active job')] : []),
    ...(usage.valid_until === null ? [] : [`until ${writeDay(usage.valid_until)}`]),
    ...(usage.renews?.next ? [`renews ${writeAge(usage.renews.next, new Date())}`] : []),
    ...(usage.banned === null ? [] : [paint('red', `you are banned: ${cleanText(usage.banned)}`)]),
  ];
  return [
    `${name} on ${hpc.toLowerCase()}`,
    `  ${bar}  ${writeLeft(time.left, time.granted)} ${nameUnit(charging)} left`,
    `  ${paint('dim', notes.join(' · '))}`,
  ];
}

export function createUsage(open: Open) {
  return createCommand(
    'usage',
    'report what your jobs used',
    'slipway usage',
    'slipway usage --by project,month --since 2026-01 --csv',
  )
    .option('--by <what>', 'group by project, system, day or month, or two of them', 'project')
    .option('--since <day>', 'first day or month (default: this month)', readPastDayOption)
    .option('--until <day>', 'last day or month', readPastDayOption)
    .option('--csv', 'print CSV, in seconds')
    .action(async ({ by, since, until, csv }, command) => {
      const session = open(command);
      const { client } = session;
      const [rows, chargingOf] = await Promise.all([
        client.readUsage({ by, since, until }),
        readCharging(client),
      ]);
      showList(session, {
        rows,
        columns: usageColumns(by.split(','), rows, chargingOf),
        csv,
        none: 'No jobs ended in that time.',
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

/** Columns of a report: its groups, then its numbers. */
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
    { head: 'OF ASKED', cell: writeUsedShare, align: 'right', spare: 5 },
  ];
}

/** If the systems of a table charge differently, each number gets its own unit. */
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

const usualCount = 20;

export function createLedger(open: Open) {
  return withLedgerOptions(
    createCommand(
      'ledger',
      'list changes of your quota, newest first',
      'slipway ledger',
      'slipway ledger proj_hpc_one_01 --since 7d --csv',
    ),
  )
    .argument('[project]', 'project, or system for its default project (default: your first quota)')
    .action(async (project, options, command) => {
      const session = open(command);
      const { client } = session;
      const place = project === undefined ? await findFirst() : await findProject(client, project);
      await showLedger(session, place, options, (asked) => client.readLedger(asked));

      async function findFirst() {
        const [quota] = await client.listQuotas();
        return findProject(client, quota?.project_name ?? '');
      }
    });
}

export function withLedgerOptions(command: Command) {
  return command
    .option('--since <when>', 'earliest change: 7d, 2026-11-01', readPastOption)
    .option('--until <when>', 'latest change', readPastOption)
    .option('-l, --limit <count>', 'number of lines', readCount, usualCount)
    .option('--csv', 'print CSV, in seconds and kilobytes');
}

type LedgerOptions = ReturnType<ReturnType<typeof withLedgerOptions>['opts']>;

type LedgerPart = ProjectPlace & Omit<LedgerOptions, 'csv'>;

/** Shows lines of the ledger that `read` reads. */
export async function showLedger(
  session: Session,
  place: ProjectPlace,
  { since, until, limit, csv }: LedgerOptions,
  read: (asked: LedgerPart) => AsyncIterable<LedgerLine>,
): Promise<void> {
  const asked = {
    ...place,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    limit: Math.min(1000, limit),
  };
  const [rows, chargingOf] = await Promise.all([
    take(read(asked), limit),
    readCharging(session.client),
  ]);
  showList(session, {
    rows,
    columns: ledgerColumns(chargingOf(place.hpc.toUpperCase()), rows),
    csv,
    none: 'Nothing changed in that time.',
  });
}

/** Only lines of a budget name the members that they are about. */
const ledgerColumns = (
  charging: Charging,
  lines: readonly LedgerLine[],
): readonly Column<LedgerLine>[] => [
  { head: 'WHEN', cell: ({ at }) => writeMoment(at) },
  { head: 'WHAT', cell: ({ kind }) => kind },
  ...(lines.some(({ user }) => user !== undefined)
    ? [{ head: 'USER', cell: ({ user = '' }: LedgerLine) => user }]
    : []),
  {
    head: nameUnit(charging).toUpperCase(),
    cell: ({ time }) => sign(time, writeNodeHours(time)),
    align: 'right',
  },
  {
    head: 'LEFT',
    cell: ({ time_left: left, time }) => writeHoursAfter(left, time),
    align: 'right',
  },
  {
    head: 'SPACE',
    cell: ({ space }) => (space === 0 ? '' : sign(space, writeSize(space * 1000))),
    align: 'right',
    spare: 1,
  },
  { head: 'JOB', cell: ({ job_id: id }) => (id === null ? '' : writeShortId(id)), spare: 2 },
  { head: 'WHY', cell: ({ reason }) => reason, shrinks: true, spare: 3 },
];

function sign(value: number, written: string): string {
  return value > 0 ? `+${written}` : written;
}
