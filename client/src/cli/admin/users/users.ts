import { Command } from '@commander-js/extra-typings';
import { writeDay } from '../../../format/write-day.ts';
import type { User } from '../../../index.ts';
import type { Column } from '../../screen/write-table.ts';
import type { Open } from '../../session/open.ts';
import { showList } from '../../session/show-list.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { readUser } from '../act/read-user.ts';
import { showUser } from './show-user.ts';
import { writeBans } from './write-bans.ts';

export function createUsers(open: Open) {
  return new Command('users')
    .description('list all users, or show one: quotas, bans, accounts, and what was done to them')
    .argument('[user]', 'the number of the user', readUser)
    .option('--csv', 'as CSV, with all fields')
    .addHelpText('after', writeExamples('slipway admin users', 'slipway admin users 306328'))
    .action(async (user, { csv }, command) => {
      const session = open(command);
      const client = session.connect();
      if (user !== undefined) return showUser(session, client, user);
      showList(session, {
        rows: await take(client.listUsers(), Infinity),
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
