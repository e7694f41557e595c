import { writeDay } from '../../format/day.ts';
import type { Account, Slipway, User } from '../../index.ts';
import { findProject, readCharging } from '../session/find.ts';
import { createCommand, type Open, type Session, showList, take } from '../session/session.ts';
import type { Column } from '../terminal/screen.ts';
import { cleanText } from '../terminal/text.ts';
import { askReason, readUser, reasonWords } from './act.ts';
import { quotaColumns } from './quotas.ts';
import { actColumns } from './records.ts';

export function createUsers(open: Open) {
  return createCommand(
    'users',
    'list all users, or show one',
    'slipway admin users',
    'slipway admin users 306328',
  )
    .argument('[user]', 'user number', readUser)
    .option('--csv', 'print CSV with all fields')
    .action(async (user, { csv }, command) => {
      const session = open(command);
      if (user !== undefined) return showUser(session, user);
      showList(session, {
        rows: await take(session.client.listUsers(), Infinity),
        columns,
        csv,
        none: 'No users yet: they appear with their first call.',
      });
    });
}

const columns: readonly Column<User>[] = [
  { head: 'USER', cell: ({ user }) => user },
  { head: 'CALLED', cell: ({ subject }) => subject ?? '', spare: 2 },
  { head: 'FIRST SEEN', cell: ({ first_seen: moment }) => writeDay(moment), spare: 1 },
  { head: 'BANNED', cell: writeBans, shrinks: true },
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
  const called = user.subject ? ` (${cleanText(user.subject)})` : '';
  const quotaTable = quotaColumns(chargingOf).filter(({ head }) => head !== 'USER');
  const actTable = actColumns(chargingOf).filter(({ head }) => head !== 'USER');
  print(
    { ...user, quotas, accounts, acts },
    `${screen.paint('bold', userId)}${called}, first seen on ${writeDay(user.first_seen)}`,
    ...(bans === '' ? [] : [screen.paint('red', `Banned from submitting: ${cleanText(bans)}`)]),
    ...accounts.map(({ hpc, account }) => `Jobs on ${hpc} run as ${cleanText(account)}.`),
    '',
    ...(quotas.length > 0 ? screen.layOut(quotas, quotaTable) : ['No quotas.']),
    '',
    ...(acts.length > 0
      ? screen.layOut(acts, actTable)
      : ['No acts of administrators concern this user.']),
  );
  if (!json && acts.length === mostActs)
    screen.tell(`All of it: slipway admin audit --user ${userId} --all`);
}

function writeBans({ banned, bans }: User): string {
  return [
    ...(banned === null ? [] : [`everywhere: ${banned}`]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join(', ');
}

export function createBan(open: Open) {
  return createCommand(
    'ban',
    'keep a user from submitting',
    'slipway admin ban 306328 --reason "jobs that fill the disks"',
  )
    .argument('<user>', 'user number', readUser)
    .argument('[project]', 'project (default: all projects)')
    .option('--reason <text>', 'reason, which the audit keeps and the user sees')
    .action(async (user, project, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const { client, print } = session;
      const place = await findPlace(client, project);
      const banned = await client.banUser({ user_id: user, ...place, body: { reason } });
      print(
        banned,
        `Banned     ${user} from submitting ${place ? `to ${place.project_name}` : 'anything'}`,
        `Lift it:   slipway admin unban ${[user, ...(project ? [project] : [])].join(' ')} --reason "..."`,
      );
    });
}

export function createUnban(open: Open) {
  return createCommand(
    'unban',
    'lift a ban',
    'slipway admin unban 306328 --reason "it was a mistake"',
  )
    .argument('<user>', 'user number', readUser)
    .argument('[project]', 'project of the ban (default: the ban from all projects)')
    .option('--reason <text>', reasonWords)
    .action(async (user, project, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const { client, print } = session;
      const place = await findPlace(client, project);
      const before = await client.getUser({ user_id: user });
      const after = await client.unbanUser({ user_id: user, ...place, reason });
      const where = place ? `to ${place.project_name}` : 'everywhere';
      print(
        after,
        countBans(before) === countBans(after)
          ? `Unchanged  ${user} had no such ban`
          : `Unbanned   ${user} may submit ${where} again`,
      );
      if (!session.json && countBans(after) > 0)
        session.screen.tell(`Other bans stay: slipway admin users ${user}`);
    });
}

async function findPlace(client: Slipway, project: string | undefined) {
  return project === undefined ? undefined : findProject(client, project);
}

function countBans({ banned, bans }: User): number {
  return bans.length + (banned === null ? 0 : 1);
}

export function createAccounts(open: Open) {
  return createCommand(
    'accounts',
    "manage users' accounts on HPC systems",
    'slipway admin accounts list 306328',
  )
    .addCommand(createList(open))
    .addCommand(createMap(open))
    .addCommand(createUnmap(open));
}

const accountColumns: readonly Column<Account>[] = [
  { head: 'USER', cell: ({ user }) => user },
  { head: 'SYSTEM', cell: ({ hpc }) => hpc },
  { head: 'ACCOUNT', cell: ({ account }) => account },
];

function createList(open: Open) {
  return createCommand('list', 'list the accounts of a user', 'slipway admin accounts list 306328')
    .argument('<user>', 'user number', readUser)
    .option('--csv', 'print CSV with all fields')
    .action(async (user, { csv }, command) => {
      const session = open(command);
      const rows = await session.client.listAccounts({ user_id: user });
      const none = `${user} has no accounts. Enter one: slipway admin accounts map --help`;
      showList(session, { rows, columns: accountColumns, csv, none });
    });
}

function createMap(open: Open) {
  return createCommand(
    'map',
    'enter an account, for later jobs',
    'slipway admin accounts map 306328 hpc_one ada --reason "her own account"',
  )
    .argument('<user>', 'user number', readUser)
    .argument('<hpc>', 'HPC system')
    .argument('<account>', 'name of the account on that system')
    .option('--reason <text>', reasonWords)
    .action(async (user, hpc, account, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const body = { account, reason };
      const mapped = await session.client.mapAccount({ user_id: user, hpc, body });
      session.print(mapped, `Mapped     ${user} runs as ${account} on ${hpc}`);
    });
}

function createUnmap(open: Open) {
  return createCommand(
    'unmap',
    'remove an account, so that submitting there ends',
    'slipway admin accounts unmap 306328 hpc_one --reason "the account was closed"',
  )
    .argument('<user>', 'user number', readUser)
    .argument('<hpc>', 'HPC system')
    .option('--reason <text>', reasonWords)
    .action(async (user, hpc, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const unmapped = await session.client.unmapAccount({ user_id: user, hpc, reason });
      session.print(unmapped, `Unmapped   ${user} no longer has an account on ${hpc}`);
    });
}
