import {
  nameUnit,
  writeLeft,
  writeNodeTime,
  writeSize,
  writeSpaceOf,
} from '../../format/amounts/amounts.ts';
import { writeDay } from '../../format/times/day.ts';
import type { Quota, Slipway } from '../../index.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readEnd, readUser } from '../session/options.ts';
import { createCommand, type Open, showList, take } from '../session/session.ts';
import { nameColumn, namesOption, wantsNames } from '../session/user-names.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { reasonWords } from './act.ts';
import { changeQuota, nameNewEnd } from './change-quota.ts';

export function createAllQuotas(open: Open) {
  return createCommand('quotas', phrase('admin.listEverybodysQuotas'))
    .examples('slipway admin quotas 306328', 'slipway admin quotas --project proj_hpc_one_01 --csv')
    .argument('[user]', phrase('shared.userNumber'), readUser)
    .option('-p, --project <project>', phrase('shared.nameOfAProject'))
    .option('--csv', phrase('shared.printCsvInSecondsAndKilobytes'))
    .option(...namesOption())
    .action(async (user, { project, csv, names }, command) => {
      const session = open(command);
      const { client } = session;
      const rows = await readQuotas(client, { user, project, names: wantsNames({ csv, names }) });
      const columns = quotaColumns(await readCharging(client));
      showList(session, rows, { csv, none: phrase('admin.noSuchQuotas') }, columns);
    });
}

interface QuotasAsked {
  readonly user: string | undefined;
  readonly project: string | undefined;
  readonly names: boolean;
}

async function readQuotas(client: Slipway, { user, project, names }: QuotasAsked) {
  const place = project === undefined ? undefined : await findProject(client, project);
  const list = { hpc: place?.hpc, project: place?.project_name, user, names };
  return take(client.listAllQuotas({ ...list, expand: 'usage' }), Infinity);
}

/** Columns for quotas, with what jobs hold. */
export function quotaColumns(chargingOf: ChargingOf): readonly Column<Quota>[] {
  return [
    column('shared.headUser', ({ user }) => user),
    nameColumn(({ name }) => name),
    column('shared.headProject', ({ project_name }) => project_name, { shrinks: true }),
    column('shared.headSystem', ({ project_hpc }) => project_hpc.toLowerCase(), { spare: 3 }),
    rightColumn('shared.headLeft', (quota) => writeTimeLeft(quota, chargingOf)),
    rightColumn('shared.headSpace', writeSpace, { spare: 2 }),
    rightColumn('admin.headActive', ({ usage }) => `${usage?.living_jobs ?? ''}`, { spare: 4 }),
    column('shared.headUntil', ({ usage }) =>
      usage?.valid_until ? writeDay(usage.valid_until) : '',
    ),
    column('', writeNotes, { shrinks: true, spare: 1 }),
  ];
}

export function writeTimeLeft(quota: Quota, chargingOf: ChargingOf): string {
  const { time_left: left, usage, project_hpc: hpc } = quota;
  const charging = chargingOf(hpc);
  if (!usage) return writeNodeTime(left, charging);
  return `${writeLeft(left, usage.time.granted)} ${nameUnit(charging)}`;
}

export function writeSpace({ usage, space_left: left }: Quota): string {
  return usage ? writeSpaceOf(usage.space) : writeSize(left * 1000);
}

function writeNotes({ usage }: Quota): string {
  return [
    ...(usage?.banned ? [phrase('admin.isBanned', { banned: usage.banned })] : []),
    ...(usage?.renews?.next
      ? [phrase('admin.renewsOnDay', { day: writeDay(usage.renews.next) })]
      : []),
  ].join(', ');
}

export function createExtend(open: Open) {
  return createCommand('extend', phrase('admin.changeTheLastDay'))
    .examples(
      'slipway admin extend 306328 proj_hpc_one_01 "30 June" --reason "the thesis takes longer"',
    )
    .alias('prolong')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .argument('<day>', phrase('admin.lastDayOrNever'), readEnd)
    .option('--reason <text>', reasonWords())
    .action(async (user, project, end, options, command) => {
      const session = open(command);
      const place = await findProject(session.client, project);
      const quota = await session.client.getQuotaOfUser({
        user_id: user,
        ...place,
        expand: 'usage',
      });
      const done = await nameNewEnd(session, quota, end);
      const target = { user, project, reason: options.reason };
      if (done !== undefined) await changeQuota(session, done, target, { valid_until: end });
    });
}
