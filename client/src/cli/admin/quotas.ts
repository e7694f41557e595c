import {
  nameUnit,
  writeLeft,
  writeNodeTime,
  writeSize,
  writeSizeLeft,
} from '../../format/amounts.ts';
import { writeDay } from '../../format/day.ts';
import type { Quota, Slipway } from '../../index.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readEndOption } from '../session/options.ts';
import { createCommand, type Open, showList, take } from '../session/session.ts';
import type { Column } from '../terminal/screen.ts';
import { readUser, reasonWords } from './act.ts';
import { changeQuota } from './change-quota.ts';

export function createAllQuotas(open: Open) {
  return createCommand(
    'quotas',
    "list everybody's quotas",
    'slipway admin quotas 306328',
    'slipway admin quotas --project proj_hpc_one_01 --csv',
  )
    .argument('[user]', 'user number', readUser)
    .option('-p, --project <project>', 'name of a project')
    .option('--csv', 'print CSV, in seconds and kilobytes')
    .action(async (user, { project, csv }, command) => {
      const session = open(command);
      const { client } = session;
      showList(session, {
        rows: await readQuotas(client, user, project),
        columns: quotaColumns(await readCharging(client)),
        csv,
        none: 'No such quotas. Grant one: slipway admin grant --help',
      });
    });
}

async function readQuotas(client: Slipway, user: string | undefined, project: string | undefined) {
  const place = project === undefined ? undefined : await findProject(client, project);
  const list = { hpc: place?.hpc, project: place?.project_name, user };
  return take(client.listAllQuotas({ ...list, expand: 'usage' }), Infinity);
}

/** Columns for quotas, with what jobs hold. */
export function quotaColumns(chargingOf: ChargingOf): readonly Column<Quota>[] {
  return [
    { head: 'USER', cell: ({ user }) => user },
    { head: 'PROJECT', cell: ({ project_name }) => project_name, shrinks: true },
    { head: 'SYSTEM', cell: ({ project_hpc }) => project_hpc.toLowerCase(), spare: 3 },
    { head: 'LEFT', cell: (quota) => writeTimeLeft(quota, chargingOf), align: 'right' },
    { head: 'SPACE', cell: writeSpaceLeft, align: 'right', spare: 2 },
    {
      head: 'ACTIVE',
      cell: ({ usage }) => `${usage?.living_jobs ?? ''}`,
      align: 'right',
      spare: 4,
    },
    { head: 'UNTIL', cell: ({ usage }) => (usage?.valid_until ? writeDay(usage.valid_until) : '') },
    { head: '', cell: writeNotes, shrinks: true, spare: 1 },
  ];
}

export function writeTimeLeft(quota: Quota, chargingOf: ChargingOf): string {
  const { time_left: left, usage, project_hpc: hpc } = quota;
  const charging = chargingOf(hpc);
  if (!usage) return writeNodeTime(left, charging);
  return `${writeLeft(left, usage.time.granted)} ${nameUnit(charging)}`;
}

export function writeSpaceLeft({ usage, space_left: left }: Quota): string {
  const all = usage ? ` of ${writeSize(usage.space.granted * 1000)}` : '';
  return `${writeSizeLeft(left * 1000)}${all}`;
}

function writeNotes({ usage }: Quota): string {
  return [
    ...(usage?.banned ? [`banned: ${usage.banned}`] : []),
    ...(usage?.renews?.next ? [`renews ${writeDay(usage.renews.next)}`] : []),
  ].join(', ');
}

export function createExtend(open: Open) {
  return createCommand(
    'extend',
    'change the last day of a quota',
    'slipway admin extend 306328 proj_hpc_one_01 "30 June" --reason "the thesis takes longer"',
  )
    .alias('prolong')
    .argument('<user>', 'user number', readUser)
    .argument('<project>', 'project, or system for its default project')
    .argument('<day>', 'last day: "30 June", 2027-06-30, "3 months" or never', readEndOption)
    .option('--reason <text>', reasonWords)
    .action(async (user, project, end, options, command) => {
      const target = { user, project, reason: options.reason };
      await changeQuota(open(command), 'Extended', target, { valid_until: end });
    });
}
