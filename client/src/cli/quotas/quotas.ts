import type { Command } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { budgetAsQuota } from '../../changes/budget-as-quota.ts';
import {
  type Charging,
  joinCharging,
  joinLeft,
  nameUnit,
  writeColumn,
  writeLedger,
  writeNodeTime,
  writeShares,
  writeSize,
  writeSpaceLeft,
} from '../../format/amounts/amounts.ts';
import { writeUsedShare } from '../../format/jobs/describe-usage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeCount, writeNumber } from '../../format/numbers/write-number.ts';
import { describeReason } from '../../format/quotas/describe-reason.ts';
import { writeDay, writeMoment } from '../../format/times/day.ts';
import { writeDuration } from '../../format/times/duration.ts';
import { writeAge } from '../../format/times/write-age.ts';
import type { LedgerLine, Quota, ReportRow, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { writeCsv } from '../../rows/write-csv.ts';
import { term } from '../../words/terms.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readCount, readPastDayOption, readPastOption } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { nameColumn } from '../session/user-names.ts';
import { type Column, column, rightColumn, type Screen, writeBar } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

export function createQuotas(open: Open) {
  return createCommand('quotas', phrase('service.showYourRemainingQuotas'))
    .examples('slipway quotas')
    .argument('[hpc]', phrase('shared.nameOfAnHpcSystem'))
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .action(async (hpc, options, command) => {
      const { client, screen, json } = open(command);
      const [quotas, chargingOf] = await Promise.all([
        client.listQuotas({ expand: 'usage', ...given({ hpc }) }),
        readCharging(client),
      ]);
      if (json) return screen.say(JSON.stringify(quotas, null, 2));
      if (options.csv) return screen.raw(writeCsv(quotas));
      screen.say(...(await describeQuotas(client, quotas, chargingOf, screen)));
      if (quotas.length === 0) screen.tell(phrase('service.youHaveNoQuotas'));
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
    const notes = [phrase('service.sharedByAllMembers')];
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
  if (!usage)
    return [phrase('service.timeLeft', { name, time: writeNodeTime(quota.time_left, charging) })];
  const { time, space } = usage;
  const shares = writeShares([time.left, time.used, time.held], charging);
  const [, , held = ''] = shares.times;
  const share = time.granted > 0 ? time.left / time.granted : 0;
  const colour = share < 0.1 ? 'red' : 'green';
  const bar = paint(colour, writeBar(share, barWidth));
  const notes = [
    phrase('service.ofSpaceLeft', writeSpaceLeft(space)),
    ...more,
    ...(time.held > 0 ? [phrase('service.timeReserved', { time: held })] : []),
    ...(usage.living_jobs > 0 ? [writeCount(usage.living_jobs, 'active job')] : []),
    ...(usage.valid_until === null
      ? []
      : [phrase('shared.until', { moment: writeDay(usage.valid_until) })]),
    ...(usage.renews?.next
      ? [phrase('service.renewsIn', { age: writeAge(usage.renews.next, new Date()) })]
      : []),
    ...(usage.banned === null
      ? []
      : [paint('red', phrase('service.youAreBanned', { banned: cleanText(usage.banned) }))]),
  ];
  return [
    phrase('shared.nameOnSystem', { name, hpc: hpc.toLowerCase() }),
    phrase('service.barOfTimeLeft', {
      bar,
      left: joinLeft(shares),
      unit: nameUnit(charging),
    }),
    `  ${paint('dim', notes.join(' · '))}`,
  ];
}

export function createUsage(open: Open) {
  return createCommand('usage', phrase('service.reportWhatYourJobsUsed'))
    .examples('slipway usage', 'slipway usage --by project,month --since 2026-01 --csv')
    .option('--by <what>', phrase('service.groupByProject'), 'project')
    .option('--since <day>', phrase('shared.firstDayOrMonth'), readPastDayOption)
    .option('--until <day>', phrase('shared.lastDayOrMonth'), readPastDayOption)
    .option('--csv', phrase('service.printCsvInSeconds'))
    .action(async ({ by, since, until, csv }, command) => {
      const session = open(command);
      const { client } = session;
      const [rows, chargingOf] = await Promise.all([
        client.readUsage({ by, since, until }),
        readCharging(client),
      ]);
      const columns = usageColumns(by.split(','), rows, chargingOf);
      showList(session, rows, { csv, none: phrase('service.noJobsEnded') }, columns);
    });
}

const heads = () =>
  ({
    user: column('shared.headUser', (row: ReportRow) => row.user ?? ''),
    system: column('shared.headSystem', (row: ReportRow) => row.project_hpc?.toLowerCase() ?? ''),
    project: column('shared.headProject', (row: ReportRow) => row.project_name ?? ''),
    day: column('service.headDay', (row: ReportRow) => row.day ?? ''),
    month: column('service.headMonth', (row: ReportRow) => row.month ?? ''),
  }) as const satisfies Record<string, Column<ReportRow>>;

/** Columns of a report: its groups, then its numbers. */
export function usageColumns(
  by: readonly string[],
  rows: readonly ReportRow[],
  chargingOf: ChargingOf,
): Column<ReportRow>[] {
  const span = (seconds: number | null) => (seconds === null ? '' : writeDuration(seconds));
  return [
    ...Object.entries(heads())
      .filter(([name]) => by.includes(name))
      .flatMap(([name, column]) =>
        name === 'user' ? [column, nameColumn((row: ReportRow) => row.name)] : [column],
      ),
    usedColumn(rows, chargingOf),
    rightColumn('service.headJobs', (row) => String(row.jobs_ended)),
    rightColumn('shared.headFailed', (row) => String(row.jobs_failed), { spare: 1 }),
    rightColumn('service.headCancelled', (row) => String(row.jobs_cancelled), { spare: 2 }),
    rightColumn('service.headWaited', (row) => span(row.queue_time_median), { spare: 4 }),
    rightColumn('service.headRan', (row) => span(row.run_time_median), { spare: 3 }),
    rightColumn('service.headOfAsked', writeUsedShare, { spare: 5 }),
  ];
}

/** If the systems of a table charge differently, each number gets its own unit. */
function usedColumn(rows: readonly ReportRow[], chargingOf: ChargingOf): Column<ReportRow> {
  const unit = joinCharging(rows.map((row) => chargingOf(row.project_hpc)));
  return unit === 'mixed'
    ? rightColumn('shared.headUsed', (row) =>
        writeNodeTime(row.time_used, chargingOf(row.project_hpc)),
      )
    : {
        head: nameUnit(unit).toUpperCase(),
        cell: writeColumn(rows, (row) => row.time_used),
        align: 'right',
      };
}

const usualCount = 20;

export function createLedger(open: Open) {
  return withLedgerOptions(
    createCommand('ledger', phrase('service.listChangesOfYourQuota')).examples(
      'slipway ledger',
      'slipway ledger proj_hpc_one_01 --since 7d --csv',
    ),
  )
    .argument('[project]', phrase('service.projectOrFirstQuota'))
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
    .option('--since <when>', phrase('service.earliestChange'), readPastOption)
    .option('--until <when>', phrase('service.latestChange'), readPastOption)
    .option('-l, --limit <count>', phrase('service.numberOfLines'), readCount, usualCount)
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'));
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
  // One line more tells whether there are more.
  const asked = { ...place, ...given({ since, until }), limit: Math.min(1000, limit + 1) };
  const [found, chargingOf] = await Promise.all([
    take(read(asked), limit + 1),
    readCharging(session.client),
  ]);
  const rows = found.slice(0, limit);
  const columns = ledgerColumns(chargingOf(place.hpc.toUpperCase()), rows);
  showList(session, rows, { csv, none: phrase('service.nothingChangedInThatTime') }, columns);
  if (found.length <= limit) return;
  session.screen.tell(
    phrase('service.theLedgerHasMore', { shown: writeNumber(limit), more: limit * 10 }),
  );
}

/** Only lines of a budget name the members that they are about. */
const ledgerColumns = (
  charging: Charging,
  lines: readonly LedgerLine[],
  write = writeLedger(lines),
): readonly Column<LedgerLine>[] => [
  column('shared.headWhen', ({ at }) => writeMoment(at)),
  column('shared.headWhat', ({ kind }) => term(kind)),
  ...(lines.some(({ user }) => user !== undefined)
    ? [column('shared.headUser', ({ user = '' }: LedgerLine) => user)]
    : []),
  {
    head: nameUnit(charging).toUpperCase(),
    cell: (line) => write(line).change,
    align: 'right',
  },
  rightColumn('shared.headLeft', (line) => write(line).after),
  rightColumn(
    'shared.headSpace',
    ({ space }) => (space === 0 ? '' : `${space > 0 ? '+' : ''}${writeSize(space * 1000)}`),
    { spare: 1 },
  ),
  column('shared.headJob', ({ job_id: id }) => (id === null ? '' : writeShortId(id)), { spare: 2 }),
  column('shared.headWhy', (line) => describeReason(line, charging), { shrinks: true, spare: 3 }),
];
