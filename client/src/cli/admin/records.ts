import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { describeChange } from '../../changes/describe-change.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { tell } from '../../format/sentences/tell.ts';
import { type SystemDay, writeAnswered } from '../../format/systems/write-answered.ts';
import { writeMoment } from '../../format/times/day.ts';
import { writeAge } from '../../format/times/write-age.ts';
import { actKinds } from '../../generated/choices.ts';
import type { Act, ReportRow, SystemReport } from '../../index.ts';
import type { PartialPlace } from '../../rows/match-projects.ts';
import { currentLanguage } from '../../words/language.ts';
import { term } from '../../words/terms.ts';
import { usageColumns } from '../quotas/quotas.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readCount, readPastDayOption, readPastOption, readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { nameColumn, namesOption, wantsNames } from '../session/user-names.ts';
import { type Column, column } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

const rowsPerPage = 1000;

export function createReport(open: Open) {
  return withReportOptions(
    createCommand('report', phrase('admin.reportWhatEndedJobsUsed')).examples(
      'slipway admin report',
      'slipway admin report --by user,month --since 2026-01 --csv > usage.csv',
    ),
  )
    .option('--by <what>', phrase('admin.groupByUser'), 'user')
    .option('--hpc <hpc>', phrase('shared.nameOfAnHpcSystem'))
    .option('--project <project>', phrase('shared.nameOfAProject'))
    .action(async ({ project, hpc, ...options }, command) => {
      const session = open(command);
      const place = project === undefined ? { hpc } : await findProject(session.client, project);
      await showReport(session, place, options);
    });
}

/** Adds the options that reports about other users share. */
export function withReportOptions(command: Command) {
  return command
    .option('--since <day>', phrase('shared.firstDayOrMonth'), readPastDayOption)
    .option('--until <day>', phrase('shared.lastDayOrMonth'), readPastDayOption)
    .option('--user <user>', phrase('shared.userNumber'), readUser)
    .option('--csv', phrase('admin.printCsvOfReport'))
    .option(...namesOption());
}

type ReportOptions = ReturnType<ReturnType<typeof withReportOptions>['opts']> & {
  readonly by: string;
};

export async function showReport(
  session: Session,
  place: PartialPlace,
  { csv, names: inCsv, ...filter }: ReportOptions,
): Promise<void> {
  const { client } = session;
  const names = wantsNames({ csv, names: inCsv });
  const [rows, chargingOf] = await Promise.all([
    take(client.reportUsage({ ...filter, ...place, names, limit: rowsPerPage }), Infinity),
    readCharging(client),
  ]);
  const only = place.hpc?.toUpperCase();
  const columns = usageColumns(filter.by.split(','), rows, (hpc = only) => chargingOf(hpc));
  const shown = csv ? rows.map(withHours) : rows;
  showList(session, shown, { csv, none: phrase('admin.nothingWasUsed') }, columns);
}

/** Writes times in hours: of nodes, of cores or by the clock, as the system charges. */
function withHours(row: ReportRow) {
  return { ...row, hours_used: Math.round((row.time_used / 3600) * 1e4) / 1e4 };
}

export function createSystems(open: Open) {
  return createCommand('systems', phrase('admin.listSystems'))
    .examples('slipway admin systems', 'slipway admin systems --csv')
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const rows = await session.client.reportSystems(csv ? {} : { history: 30 });
      showList(session, rows, { csv, none: phrase('admin.thereAreNoSystems') }, systemColumns());
    });
}

/** Columns for systems. Only AWS Batch has costs, which all its systems share. */
const systemColumns = (): readonly Column<SystemReport>[] => [
  column('shared.headSystem', ({ name }) => name),
  column('shared.headState', ({ status }) => term(status)),
  column('admin.headThirtyDays', ({ history = [] }) => writeUp(history)),
  column('admin.headLastContact', ({ last_contact: at }) => (at ? writeAge(at, new Date()) : '')),
  column('admin.headThisMonth', ({ spending }) => (spending ? writeSpending(spending) : '')),
  column('admin.headLastError', ({ last_error: last }) => tell(last?.reason ?? ''), {
    shrinks: true,
  }),
];

function writeUp(days: readonly SystemDay[]): string {
  const share = writeAnswered(days);
  return share === '' ? '' : phrase('admin.answered', { share });
}

function writeSpending({ estimate, budget }: NonNullable<SystemReport['spending']>): string {
  const dollars = writeDollars(estimate);
  if (budget === null) return phrase('admin.costs', { dollars });
  return estimate < budget
    ? phrase('admin.costsOfBudget', { dollars, budget })
    : phrase('admin.costsPaused', { dollars, budget });
}

function writeDollars(amount: number): string {
  return amount.toLocaleString(currentLanguage().digits, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  });
}

const usualCount = 20;
const actsPerPage = 100;

export function createAudit(open: Open) {
  return createCommand('audit', phrase('admin.listActsOfAdministrators'))
    .examples(
      'slipway admin audit --user 306328',
      'slipway admin audit --kind removed --since 30d --all --csv',
    )
    .option('--user <user>', phrase('admin.numberOfTheUserConcerned'), readUser)
    .option('--by <user>', phrase('admin.numberOfTheAdministrator'))
    .option(
      '--kind <kind>',
      phrase('admin.kindOfAct', { actKinds: actKinds.map(shorten).join(', ') }),
      readKind,
    )
    .option('--since <when>', phrase('admin.earliestAct'), readPastOption)
    .option('--until <when>', phrase('admin.latestAct'), readPastOption)
    .option('-l, --limit <count>', phrase('shared.numberOfRows'), readCount, usualCount)
    .option('-a, --all', phrase('shared.allRows'))
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .option(...namesOption())
    .action(async ({ limit, all, csv, names, ...filter }, command) => {
      const session = open(command);
      const { client } = session;
      const most = all ? Infinity : limit;
      const page = Math.min(most, actsPerPage);
      const rows = await take(
        client.readAudit({ ...filter, limit: page, names: wantsNames({ csv, names }) }),
        most,
      );
      const columns = actColumns(await readCharging(client));
      showList(session, rows, { csv, most, none: phrase('admin.noActsMatch') }, columns);
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
  throw new InvalidArgumentError(
    phrase('admin.writeOne', { actKinds: actKinds.map(shorten).join(', ') }),
  );
}

/** Columns for acts of administrators. */
export function actColumns(chargingOf: ChargingOf): readonly Column<Act>[] {
  return [
    column('shared.headWhen', ({ at }) => writeMoment(at)),
    column('admin.headBy', ({ by }) => by),
    column('shared.headWhat', ({ kind }) => term(kind)),
    column('shared.headUser', ({ user }) => user ?? ''),
    nameColumn(({ name }) => name),
    column('admin.headDetails', (act) => writeDetails(act, chargingOf), { shrinks: true }),
  ];
}

/** Joins the place, the change and the reason, because columns for each do not fit a terminal. */
function writeDetails(act: Act, chargingOf: ChargingOf): string {
  const place = act.project_name ?? act.project_hpc?.toLowerCase() ?? '';
  const change = [place, writeChange(act, chargingOf)].filter((part) => part !== '');
  return [change.join(': '), act.reason].filter((part) => part !== '').join(' · ');
}

function writeChange(act: Act, chargingOf: ChargingOf): string {
  const { details, project_hpc: hpc, job_id: job } = act;
  const change = describeChange(details, hpc === null ? 'mixed' : chargingOf(hpc));
  return job === null ? change : phrase('admin.jobWithId', { id: writeShortId(job) });
}
