import { type Charging, writeNodeTime } from '../../format/amounts/amounts.ts';
import { writeDay } from '../../format/times/day.ts';
import { writeAge } from '../../format/times/write-age.ts';
import type { Slipway, User } from '../../index.ts';
import { findProject, readCharging } from '../session/find.ts';
import { readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import { leaveOutNames, nameColumn, namesOption } from '../session/user-names.ts';
import { type Column, column } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';
import { beginAct, reasonWords } from './act.ts';
import { quotaColumns } from './quotas.ts';
import { actColumns } from './records.ts';

export function createUsers(open: Open) {
  return createCommand('users', phrase('admin.listAllUsers'))
    .examples(
      'slipway admin users',
      'slipway admin users 306328',
      'slipway admin users --search lovelace',
    )
    .argument('[user]', phrase('shared.userNumber'), readUser)
    .option('--search <text>', phrase('admin.beginningOfAName'))
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .option(...namesOption())
    .action(async (user, { search, ...wish }, command) => {
      const session = open(command);
      if (user !== undefined) return showUser(session, user);
      const [rows, chargingOf] = await Promise.all([
        take(
          session.client.listUsers({ search, ...(!wish.csv && { expand: 'activity' }) }),
          Infinity,
        ),
        readCharging(session.client),
      ]);
      const none = phrase(search === undefined ? 'admin.noUsersYet' : 'admin.noUsersFound');
      const shown = leaveOutNames(rows, wish);
      showList(session, shown, { csv: wish.csv, none }, userColumns(chargingOf()));
    });
}

const userColumns = (charging: Charging): readonly Column<User>[] => [
  column('shared.headUser', ({ user }) => user),
  nameColumn(({ name, subject }) => name ?? subject),
  column('admin.headFirstSeen', ({ first_seen: moment }) => writeDay(moment), { spare: 1 }),
  column('admin.headLastJob', ({ activity }) =>
    activity?.last_submission ? writeAge(activity.last_submission, new Date()) : '',
  ),
  column('admin.headThirtyDays', ({ activity }) =>
    activity && activity.jobs_ended > 0 ? writeNodeTime(activity.time_used, charging) : '',
  ),
  column('admin.headBanned', writeBans, { shrinks: true }),
];

/** Shows this many acts about the user; the audit has all. */
const mostActs = 10;

/** Shows everything about one user. */
async function showUser({ client, screen, json, print }: Session, userId: string): Promise<void> {
  const [user, quotas, accounts, acts, chargingOf] = await Promise.all([
    client.getUser({ user_id: userId }),
    client.listQuotasOfUser({ user_id: userId, expand: 'usage' }),
    client.listAccounts({ user_id: userId }),
    take(client.readAudit({ user: userId, limit: mostActs }), mostActs),
    readCharging(client),
  ]);
  const bans = writeBans(user);
  const { name: fullName, email, subject } = user;
  const names = [...new Set([fullName, email, subject])].filter((each) => each != null);
  const called = names.length > 0 ? ` (${cleanText(names.join(', '))})` : '';
  const name = `${screen.paint('bold', userId)}${called}`;
  const others = ({ id }: Pick<Column<unknown>, 'id'>) => id !== 'shared.headUser';
  const quotaTable = quotaColumns(chargingOf).filter(others);
  const actTable = actColumns(chargingOf).filter(others);
  print(
    { ...user, quotas, accounts, acts },
    phrase('admin.userFirstSeen', { name, day: writeDay(user.first_seen) }),
    ...(user.erased === undefined
      ? []
      : [phrase('admin.userErasedOn', { day: writeDay(user.erased) })]),
    ...(bans === ''
      ? []
      : [screen.paint('red', phrase('admin.bannedFromSubmitting', { bans: cleanText(bans) }))]),
    ...accounts.map(({ hpc, account }) =>
      phrase('admin.jobsOnRunAs', { hpc, account: cleanText(account) }),
    ),
    '',
    ...(quotas.length > 0 ? screen.layOut(quotas, quotaTable) : [phrase('admin.noQuotas')]),
    '',
    ...(acts.length > 0
      ? screen.layOut(acts, actTable)
      : [phrase('admin.noActsOfAdministratorsConcern')]),
  );
  if (!json && acts.length === mostActs) screen.tell(phrase('admin.allOf', { userId }));
}

function writeBans({ banned, bans }: User): string {
  return [
    ...(banned === null ? [] : [phrase('admin.bannedEverywhere', { banned })]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join(', ');
}

export function createBan(open: Open) {
  return createCommand('ban', phrase('admin.keepAUserFromSubmitting'))
    .examples('slipway admin ban 306328 --reason "jobs that fill the disks"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('[project]', phrase('admin.projectDefault'))
    .option('--reason <text>', phrase('admin.reasonWhichTheAuditKeepsAnd'))
    .action(async (user, project, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const place = await findPlace(client, project);
      const target = [user, ...(project ? [project] : [])].join(' ');
      const banned = await client.banUser({ user_id: user, ...place, body: { reason } });
      print(
        banned,
        place
          ? phrase('admin.bannedFromSubmittingTo', { user, projectName: place.project_name })
          : phrase('admin.bannedFromSubmittingAnything', { user }),
        phrase('admin.liftIt', { target }),
      );
    });
}

export function createUnban(open: Open) {
  return createCommand('unban', phrase('admin.liftABan'))
    .examples('slipway admin unban 306328 --reason "it was a mistake"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('[project]', phrase('admin.projectOfTheBan'))
    .option('--reason <text>', reasonWords())
    .action(async (user, project, options, command) => {
      const session = open(command);
      const { reason, client, print, screen } = await beginAct(session, options);
      const place = await findPlace(client, project);
      const before = await client.getUser({ user_id: user });
      const after = await client.unbanUser({ user_id: user, ...place, reason });
      print(
        after,
        countBans(before) === countBans(after)
          ? phrase('admin.unchangedHadNoSuchBan', { user })
          : place
            ? phrase('admin.unbannedMaySubmitToAgain', { user, projectName: place.project_name })
            : phrase('admin.unbannedMaySubmitEverywhereAgain', { user }),
      );
      if (!session.json && countBans(after) > 0)
        screen.tell(phrase('admin.otherBansStay', { user }));
    });
}

async function findPlace(client: Slipway, project: string | undefined) {
  return project === undefined ? undefined : findProject(client, project);
}

function countBans({ banned, bans }: User): number {
  return bans.length + (banned === null ? 0 : 1);
}
