import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { describeChange } from '../../changes/describe-change.ts';
import { writeMoment } from '../../format/day.ts';
import { writeShortId } from '../../format/write-short-id.ts';
import { actKinds } from '../../generated/choices.ts';
import type { Act, ReportRow, SystemReport } from '../../index.ts';
import type { PartialPlace } from '../../rows/match-projects.ts';
import { usageColumns } from '../commands/quotas.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readCount, readPastDayOption, readPastOption } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import type { Column } from '../terminal/screen.ts';
import { readUser } from './act.ts';

const rowsPerPage = 1000;

export function createReport(open: Open) {
  return withReportOptions(
    createCommand(
      'report',
      'report what ended jobs used',
      'slipway admin report',
      'slipway admin report --by user,month --since 2026-01 --csv > usage.csv',
    ),
  )
    .option('--by <what>', 'group by user, project, system, day or month, or two of them', 'user')
    .option('--hpc <hpc>', 'name of an HPC system')
    .option('--project <project>', 'name of a project')
    .action(async ({ project, hpc, ...options }, command) => {
      const session = open(command);
      const place = project === undefined ? { hpc } : await findProject(session.client, project);
      await showReport(session, place, options);
    });
}

/** Adds the options that reports about other users share. */
export function withReportOptions(command: Command) {
  return command
    .option('--since <day>', 'first day or month (default: this month)', readPastDayOption)
    .option('--until <day>', 'last day or month', readPastDayOption)
    .option('--user <user>', 'user number', readUser)
    .option('--csv', 'print CSV with all fields; times in seconds, except hours_used');
}

type ReportOptions = ReturnType<ReturnType<typeof withReportOptions>['opts']> & {
  readonly by: string;
};

export async function showReport(
  session: Session,
  place: PartialPlace,
  { csv, ...filter }: ReportOptions,
): Promise<void> {
  const { client } = session;
  const [rows, chargingOf] = await Promise.all([
    take(client.reportUsage({ ...filter, ...place, limit: rowsPerPage }), Infinity),
    readCharging(client),
  ]);
  const only = place.hpc?.toUpperCase();
  showList(session, {
    rows: csv ? rows.map(withHours) : rows,
    columns: usageColumns(filter.by.split(','), rows, (hpc = only) => chargingOf(hpc)),
    csv,
    none: 'Nothing was used in that time. To see an earlier time, add --since, such as --since 2026-01',
  });
}

/** Writes times in hours: of nodes, of cores or by the clock, as the system charges. */
function withHours(row: ReportRow) {
  return { ...row, hours_used: Math.round((row.time_used / 3600) * 1e4) / 1e4 };
}

export function createSystems(open: Open) {
  return createCommand(
    'systems',
    'list systems, their state and costs',
    'slipway admin systems',
    'slipway admin systems --csv',
  )
    .option('--csv', 'print CSV with all fields')
    .action(async ({ csv }, command) => {
      const session = open(command);
      showList(session, {
        rows: await session.client.reportSystems(),
        columns: systemColumns,
        csv,
        none: 'There are no systems.',
      });
    });
}

/** Columns for systems. Only AWS Batch has costs, which all its systems share. */
export const systemColumns: readonly Column<SystemReport>[] = [
  { head: 'SYSTEM', cell: ({ name }) => name },
  { head: 'STATE', cell: ({ status }) => status },
  { head: 'THIS MONTH', cell: ({ spending }) => (spending ? writeSpending(spending) : '') },
  { head: 'LAST ERROR', cell: ({ last_error: last }) => last?.reason ?? '', shrinks: true },
];

function writeSpending({ estimate, budget }: NonNullable<SystemReport['spending']>): string {
  const about = `about ${estimate.toFixed(2)}`;
  if (budget === null) return `${about} USD`;
  return `${about} of ${budget} USD${estimate < budget ? '' : ' (paused)'}`;
}

const usualCount = 20;
const actsPerPage = 100;

export function createAudit(open: Open) {
  return createCommand(
    'audit',
    'list acts of administrators, newest first',
    'slipway admin audit --user 306328',
    'slipway admin audit --kind removed --since 30d --all --csv',
  )
    .option('--user <user>', 'number of the user concerned', readUser)
    .option('--by <user>', 'number of the administrator')
    .option('--kind <kind>', `kind of act: ${actKinds.map(shorten).join(', ')}`, readKind)
    .option('--since <when>', 'earliest act: 7d, 2026-11-01', readPastOption)
    .option('--until <when>', 'latest act', readPastOption)
    .option('-l, --limit <count>', 'number of rows', readCount, usualCount)
    .option('-a, --all', 'all rows')
    .option('--csv', 'print CSV with all fields')
    .action(async ({ limit, all, csv, ...filter }, command) => {
      const session = open(command);
      const { client } = session;
      const most = all ? Infinity : limit;
      const page = Math.min(most, actsPerPage);
      showList(session, {
        rows: await take(client.readAudit({ ...filter, limit: page }), most),
        columns: actColumns(await readCharging(client)),
        csv,
        none: 'No acts match.',
        most,
      });
    });
}

/** Shortens `quota-granted` to `granted`. No two kinds end alike. */
function shorten(kind: string): string {
  return kind.slice(kind.indexOf('-') + 1);
}

function readKind(text: string): Act['kind'] {
  // The stage word has one l, so people may write one.
  const wanted = text.toLowerCase().replace(/^canceled$/, 'cancelled');
  const found = actKinds.find((kind) => kind === wanted || shorten(kind) === wanted);
  if (found) return found;
  throw new InvalidArgumentError(`Write one of ${actKinds.map(shorten).join(', ')}.`);
}

/** Columns for acts of administrators. */
export function actColumns(chargingOf: ChargingOf): readonly Column<Act>[] {
  return [
    { head: 'WHEN', cell: ({ at }) => writeMoment(at) },
    { head: 'BY', cell: ({ by }) => by },
    { head: 'WHAT', cell: ({ kind }) => kind.replace('-', ' ') },
    { head: 'USER', cell: ({ user }) => user ?? '' },
    { head: 'DETAILS', cell: (act) => writeDetails(act, chargingOf), shrinks: true },
  ];
}

/** Joins the place, the change and the reason, because columns for each do not fit a terminal. */
function writeDetails(act: Act, chargingOf: ChargingOf): string {
  const change = [writePlace(act), writeChange(act, chargingOf)].filter((part) => part !== '');
  return [change.join(': '), act.reason].filter((part) => part !== '').join(' · ');
}

function writePlace({ project_name: project, project_hpc: hpc }: Act): string {
  return project ?? hpc?.toLowerCase() ?? '';
}

function writeChange(act: Act, chargingOf: ChargingOf): string {
  const { details, project_hpc: hpc, job_id: job } = act;
  const change = describeChange(details, hpc === null ? 'mixed' : chargingOf(hpc));
  return job === null ? change : `job ${writeShortId(job)}`;
}
