import { budgetAsQuota } from '../../changes/change-share.ts';
import { type Charging, writeNodeTime } from '../../format/amounts.ts';
import { writeDay } from '../../format/day.ts';
import type { LedProject, Quota } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { writeSpaceLeft, writeTimeLeft } from '../admin/quotas.ts';
import { describeQuota } from '../commands/quotas.ts';
import { type ChargingOf, readCharging } from '../session/find.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import type { Column, Screen } from '../terminal/screen.ts';
import { findLed, leadsNoneWords, listLed, projectOption } from './find-led.ts';
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

const rooms = {
  'Budget:': [createShow, createLedger],
  'Members:': [createMembers, createInvite, createGrant, createTake, createExtend, createRemove],
  'Requests:': [createRequests, createApprove, createDecline],
  'Usage:': [createJobs, createReport],
} as const;

export function createProject(open: Open) {
  const project = createCommand(
    'project',
    'share out the budgets of projects that you lead',
    'slipway project',
    'slipway project grant 306330 20 --reason "the first experiments"',
  ).addCommand(createList(open), { isDefault: true });
  for (const [heading, makers] of Object.entries(rooms)) {
    project.commandsGroup(heading);
    for (const make of makers) project.addCommand(make(open));
  }
  return project;
}

type ListedProject = LedProject & { readonly members: number };

function createList(open: Open) {
  return createCommand('list', 'list the projects that you lead', 'slipway project list')
    .option('--csv', 'print CSV, in seconds and kilobytes')
    .action(async ({ csv }, command) => {
      const session = open(command);
      const { client } = session;
      const places = await listLed(client);
      const rows = await Promise.all(places.map((place) => countMembers(session, place)));
      showList(session, {
        rows,
        columns: projectColumns(await readCharging(client)),
        csv,
        none: `${leadsNoneWords} Ask an administrator to make you a leader.`,
      });
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
    { head: 'PROJECT', cell: ({ project_name: name }) => name, shrinks: true },
    { head: 'SYSTEM', cell: ({ project_hpc: hpc }) => hpc.toLowerCase(), spare: 2 },
    {
      head: 'LEFT',
      cell: (led) => ofBudget((budget) => writeTimeLeft(budget, chargingOf))(led) || 'no budget',
      align: 'right',
    },
    { head: 'SPACE', cell: ofBudget(writeSpaceLeft), align: 'right', spare: 3 },
    { head: 'MEMBERS', cell: ({ members }) => String(members), align: 'right' },
    {
      head: 'UNTIL',
      cell: ({ budget }) => (budget?.valid_until ? writeDay(budget.valid_until) : ''),
      spare: 1,
    },
  ];
}

function createShow(open: Open) {
  return createCommand(
    'show',
    'show the budget and the members of a project',
    'slipway project show',
    'slipway project show -p hpc_one/lab_42',
  )
    .option(...projectOption)
    .action(async ({ project }, command) => {
      const session = open(command);
      const { client, screen } = session;
      const place = await findLed(project)(client);
      const [led, { shared }, members, chargingOf] = await Promise.all([
        client.getBudget(place),
        client.getProject(place),
        readMembers(client, place),
        readCharging(client),
      ]);
      session.print(
        { ...led, ...(shared && { shared }), members },
        ...describeBudget(led, chargingOf(led.project_hpc), screen),
        ...(shared ? [`  ${screen.paint('dim', 'Members draw from it directly')}`] : []),
        '',
        ...(members.length > 0
          ? screen.layOut(members, memberColumns(chargingOf))
          : ['No members yet. Invite one: slipway project invite --help']),
      );
    });
}

function describeBudget(led: LedProject, charging: Charging, screen: Screen): string[] {
  const { budget, project_name: name, project_hpc: hpc, leaders } = led;
  const quota = budgetAsQuota(led);
  const ledBy = leaders.length > 0 ? `Led by ${leaders.join(', ')}` : 'Nobody leads it';
  if (!budget || !quota) {
    const place = `${screen.paint('bold', name)} on ${hpc.toLowerCase()}`;
    return [place, '  No budget. Administrators set one.', `  ${screen.paint('dim', ledBy)}`];
  }
  const { shared_out: shared, used } = budget.time;
  const parts = [
    `${writeNodeTime(shared, charging)} shared out`,
    ...(used > shared ? [`${writeNodeTime(used - shared, charging)} used directly`] : []),
    ledBy,
  ];
  return [...describeQuota(quota, charging, screen), `  ${screen.paint('dim', parts.join(' · '))}`];
}
