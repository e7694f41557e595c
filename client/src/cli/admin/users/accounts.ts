import { Command } from '@commander-js/extra-typings';
import type { Account } from '../../../index.ts';
import type { Column } from '../../screen/write-table.ts';
import type { Open } from '../../session/open.ts';
import { showList } from '../../session/show-list.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readUser } from '../act/read-user.ts';

export function createAccounts(open: Open) {
  return new Command('accounts')
    .description('as whom the jobs of a user run, on systems where each user has an account')
    .addHelpText('after', writeExamples('slipway admin accounts list 306328'))
    .addCommand(createList(open))
    .addCommand(createMap(open))
    .addCommand(createUnmap(open));
}

const columns: readonly Column<Account>[] = [
  { head: 'USER', cell: ({ user }) => user },
  { head: 'SYSTEM', cell: ({ hpc }) => hpc },
  { head: 'ACCOUNT', cell: ({ account }) => account },
];

function createList(open: Open) {
  return new Command('list')
    .description('show the accounts of a user')
    .argument('<user>', 'the number of the user', readUser)
    .option('--csv', 'as CSV, with all fields')
    .addHelpText('after', writeExamples('slipway admin accounts list 306328'))
    .action(async (user, { csv }, command) => {
      const session = open(command);
      const rows = await session.connect().listAccounts({ user_id: user });
      const none = `${user} has none. Enter one: slipway admin accounts map --help`;
      showList(session, { rows, columns, csv, none });
    });
}

function createMap(open: Open) {
  return new Command('map')
    .description('enter the account of a user on a system; later jobs run as it')
    .argument('<user>', 'the number of the user', readUser)
    .argument('<hpc>', 'the HPC system')
    .argument('<account>', 'the name of the account there')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples('slipway admin accounts map 306328 hpc_one ada --reason "her own account"'),
    )
    .action(async (user, hpc, account, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const body = { account, reason };
      const mapped = await session.connect().mapAccount({ user_id: user, hpc, body });
      if (session.json) return session.screen.say(JSON.stringify(mapped, null, 2));
      session.screen.say(`Mapped     ${user} runs as ${account} on ${hpc}`);
    });
}

function createUnmap(open: Open) {
  return new Command('unmap')
    .description(
      'take back the account of a user on a system; nothing can be submitted without one',
    )
    .argument('<user>', 'the number of the user', readUser)
    .argument('<hpc>', 'the HPC system')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin accounts unmap 306328 hpc_one --reason "the account was closed"',
      ),
    )
    .action(async (user, hpc, { reason: given }, command) => {
      const session = open(command);
      const reason = await askReason(session, given);
      const unmapped = await session.connect().unmapAccount({ user_id: user, hpc, reason });
      if (session.json) return session.screen.say(JSON.stringify(unmapped, null, 2));
      session.screen.say(`Unmapped   ${user} has no account on ${hpc} any more`);
    });
}
