import { budgetAsQuota } from '../../changes/budget-as-quota.ts';
import { type Charging, nameUnit, writeShares } from '../../format/amounts/amounts.ts';
import { roundStatement, writeExactHours } from '../../format/quotas/exact-hours.ts';
import { writeDay, writeMoment } from '../../format/times/day.ts';
import type { LedProject, Quota, Statement } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { writeSpace, writeTimeLeft } from '../admin/quotas.ts';
import { describeQuota } from '../quotas/quotas.ts';
import { type ChargingOf, readCharging } from '../session/find.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import { nameColumn, nameLeaders, namesOption, wantsNames } from '../session/user-names.ts';
import { type Column, column, rightColumn, type Screen } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { findLed, listLed, projectOption } from './find-led.ts';
import {
  createExtend,
  createGrant,
  createInvite,
  createMembers,
  createRemove,
  createTake,
  memberColumns,
  readMembers,
} from './members.ts';
import {
  createApprove,
  createDecline,
  createJobs,
  createLedger,
  createReport,
  createRequests,
} from './records.ts';

const rooms = () =>
  [
    [phrase('project.groupBudget'), [createShow, createLedger]],
    [
      phrase('project.groupMembers'),
      [createMembers, createInvite, createGrant, createTake, createExtend, createRemove],
    ],
    [phrase('project.groupRequests'), [createRequests, createApprove, createDecline]],
    [phrase('project.groupUsage'), [createJobs, createReport, createStatement]],
  ] as const;

export function createProject(open: Open) {
  const project = createCommand('project', phrase('project.shareOutTheBudgets'))
    .examples('slipway project', 'slipway project grant 306330 20 --reason "the first experiments"')
    .addCommand(createList(open), { isDefault: true });
  for (const [heading, makers] of rooms()) {
    project.commandsGroup(heading);
    for (const make of makers) project.addCommand(make(open));
  }
  return project;
}

type ListedProject = LedProject & { readonly members: number };

function createList(open: Open) {
  return createCommand('list', phrase('project.listTheProjects'))
    .examples('slipway project list')
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const { client } = session;
      const places = await listLed(client);
      const rows = await Promise.all(places.map((place) => countMembers(session, place)));
      const columns = projectColumns(await readCharging(client));
      showList(session, rows, { csv, none: phrase('project.youLeadNoProjectsAskAn') }, columns);
    });
}

async function countMembers(session: Session, place: ProjectPlace): Promise<ListedProject> {
  const [led, members] = await Promise.all([
    session.client.getBudget(place),
    readMembers(session.client, place),
  ]);
  return { ...led, members: members.length };
}

function projectColumns(chargingOf: ChargingOf): readonly Column<ListedProject>[] {
  const ofBudget = (write: (budget: Quota) => string) => (led: LedProject) => {
    const quota = budgetAsQuota(led);
    return quota ? write(quota) : '';
  };
  return [
    column('shared.headProject', ({ project_name: name }) => name, { shrinks: true }),
    column('shared.headSystem', ({ project_hpc: hpc }) => hpc.toLowerCase(), { spare: 2 }),
    rightColumn(
      'shared.headLeft',
      (led) =>
        ofBudget((budget) => writeTimeLeft(budget, chargingOf))(led) || phrase('project.noBudget'),
    ),
    rightColumn('shared.headSpace', ofBudget(writeSpace), { spare: 3 }),
    rightColumn('project.headMembers', ({ members }) => String(members)),
    column(
      'shared.headUntil',
      ({ budget }) => (budget?.valid_until ? writeDay(budget.valid_until) : ''),
      { spare: 1 },
    ),
  ];
}

function createShow(open: Open) {
  return createCommand('show', phrase('project.showTheBudget'))
    .examples('slipway project show', 'slipway project show -p hpc_one/lab_42')
    .option(...projectOption())
    .action(async ({ project }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const place = await findLed(project)(client);
      const [led, { shared }, members, chargingOf] = await Promise.all([
        client.getBudget({ ...place, names: true }),
        client.getProject(place),
        readMembers(client, place),
        readCharging(client),
      ]);
      session.print(
        { ...led, ...(shared && { shared }), members },
        ...describeBudget(led, chargingOf(led.project_hpc), screen),
        ...(shared
          ? [`  ${screen.paint('dim', phrase('project.membersDrawFromItDirectly'))}`]
          : []),
        '',
        ...(members.length > 0
          ? screen.layOut(members, memberColumns(chargingOf))
          : [phrase('project.noMembersYet')]),
      );
    });
}

function describeBudget(led: LedProject, charging: Charging, screen: Screen): string[] {
  const { budget, project_name: name, project_hpc: hpc, leaders } = led;
  const quota = budgetAsQuota(led);
  const ledBy =
    leaders.length > 0
      ? phrase('project.ledBy', { leaders: nameLeaders(led) })
      : phrase('project.nobodyLeads');
  if (!budget || !quota) {
    const place = phrase('shared.nameOnSystem', {
      name: screen.paint('bold', name),
      hpc: hpc.toLowerCase(),
    });
    return [
      place,
      `  ${phrase('project.noBudgetAdministratorsSetOne')}`,
      `  ${screen.paint('dim', ledBy)}`,
    ];
  }
  const { left, held, shared_out: shared, used } = budget.time;
  const { times } = writeShares([left, shared, used - shared, held], charging);
  const [, sharedOut = '', usedDirectly = ''] = times;
  const parts = [
    phrase('project.sharedOut', { time: sharedOut }),
    ...(used > shared ? [phrase('project.usedDirectly', { time: usedDirectly })] : []),
    ledBy,
  ];
  return [...describeQuota(quota, charging, screen), `  ${screen.paint('dim', parts.join(' · '))}`];
}

type Row = Omit<Statement['rows'][number], 'user'> & { readonly user: string | null };

function createStatement(open: Open) {
  return createCommand('statement', phrase('project.showTheStatement'))
    .examples(
      'slipway project statement lab_42 --month 2026-10',
      'slipway project statement lab_42 --csv > statement.csv',
    )
    .argument('[project]', phrase('project.projectDefault'))
    .option('--month <month>', phrase('project.monthOfStatement'))
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .option(...namesOption())
    .action(async (project, { month, csv, names }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const { hpc, project_name } = await findLed(project)(client);
      const wants = { names: wantsNames({ csv, names }) };
      const asked = { hpc, project_name, ...(month !== undefined && { month }), ...wants };
      if (csv) {
        screen.raw(await client.getStatementAsCsv(asked));
        return;
      }
      const statement = await client.getStatement(asked);
      const unit = nameUnit((await readCharging(client))(statement.project_hpc));
      session.print(statement, ...describeStatement(statement, unit, screen));
    });
}

function describeStatement(statement: Statement, unit: string, screen: Screen): string[] {
  const { project_name: name, project_hpc: hpc, month, until, closed, rows } = statement;
  const moment = writeMoment(until);
  const place = phrase('project.statementOf', {
    name: screen.paint('bold', name),
    hpc: hpc.toLowerCase(),
    month,
    unit,
  });
  const asOf = phrase(closed ? 'project.asOfFinal' : 'project.asOf', { moment });
  if (rows.length === 0) return [place, phrase('project.nothingInMonth')];
  const together = { ...statement, user: phrase('project.together') };
  return [
    place,
    `  ${screen.paint('dim', asOf)}`,
    '',
    ...screen.layOut<Row>([...rows, together], statementColumns(statement)),
  ];
}

/** What expired and what was corrected is one column; `--json` and `--csv` tell them apart. */
function statementColumns(statement: Statement): readonly Column<Row>[] {
  const hours = roundStatement(statement);
  const write = (part: Parameters<typeof hours>[1]) => (row: Row) =>
    writeExactHours(hours(row, part));
  return [
    column('shared.headAccount', ({ user }) => user ?? phrase('project.theBudget')),
    nameColumn(({ name }) => name),
    rightColumn('project.headOpening', write('opening')),
    rightColumn('shared.headGranted', write('granted')),
    rightColumn('project.headShared', write('shared'), { spare: 2 }),
    rightColumn(
      'project.headCorrected',
      (row) => writeExactHours(hours(row, 'corrected') - hours(row, 'expired')),
      { spare: 3 },
    ),
    rightColumn('shared.headUsed', write('used')),
    rightColumn('project.headDrawn', write('drawn'), { spare: 1 }),
    rightColumn('project.headReserved', write('reserved'), { spare: 4 }),
    rightColumn('project.headClosing', write('closing')),
  ];
}
