import { describeRefusal } from '../../changes/describe-refusal.ts';
import type { Account, AccountRow, MappingRow } from '../../index.ts';
import { readAccounts } from '../../rows/read-accounts.ts';
import { term } from '../../words/terms.ts';
import { readUser } from '../session/options.ts';
import { createCommand, type Open, type Session, showList } from '../session/session.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { beginAct, reasonWords } from './act.ts';
import {
  askReasonOfRows,
  doRows,
  isOpen,
  type RowOutcome,
  type RowWishes,
  readRows,
} from './row-file.ts';

export function createAccounts(open: Open) {
  return createCommand('accounts', phrase('admin.manageUsersAccountsOnHpc'))
    .examples(
      'slipway admin accounts list 306328',
      'slipway admin accounts import accounts.csv --reason "the users of the centre"',
    )
    .addCommand(createList(open))
    .addCommand(createMap(open))
    .addCommand(createUnmap(open))
    .addCommand(createImport(open));
}

const accountColumns = (): readonly Column<Account>[] => [
  column('shared.headUser', ({ user }) => user),
  column('shared.headSystem', ({ hpc }) => hpc),
  column('shared.headAccount', ({ account }) => account),
];

function createList(open: Open) {
  return createCommand('list', phrase('admin.listTheAccounts'))
    .examples('slipway admin accounts list 306328')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .action(async (user, { csv }, command) => {
      const session = open(command);
      const rows = await session.client.listAccounts({ user_id: user });
      const none = phrase('admin.hasNoAccounts', { user });
      showList(session, rows, { csv, none }, accountColumns());
    });
}

function createMap(open: Open) {
  return createCommand('map', phrase('admin.enterAnAccount'))
    .examples('slipway admin accounts map 306328 hpc_one ada --reason "her own account"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<hpc>', phrase('admin.hpcSystem'))
    .argument('<account>', phrase('admin.nameOfTheAccount'))
    .option('--reason <text>', reasonWords())
    .action(async (user, hpc, account, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const mapped = await client.mapAccount({ user_id: user, hpc, body: { account, reason } });
      print(mapped, phrase('admin.mappedRunsAs', { user, account, hpc }));
    });
}

function createUnmap(open: Open) {
  return createCommand('unmap', phrase('admin.removeAnAccount'))
    .examples('slipway admin accounts unmap 306328 hpc_one --reason "the account was closed"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<hpc>', phrase('admin.hpcSystem'))
    .option('--reason <text>', reasonWords())
    .action(async (user, hpc, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const unmapped = await client.unmapAccount({ user_id: user, hpc, reason });
      print(unmapped, phrase('admin.unmappedNoLongerHas', { user, hpc }));
    });
}

function createImport(open: Open) {
  return createCommand('import', phrase('admin.enterManyAccounts'))
    .examples('slipway admin accounts import accounts.csv --dry-run')
    .argument('<file>', phrase('admin.fileWithOneAccount'))
    .option('--dry-run', phrase('admin.showTheAccounts'))
    .option('-y, --yes', phrase('shared.skipTheQuestion'))
    .option('--reason <text>', reasonWords())
    .action((file, options, command) => importAccounts(open(command), file, options));
}

/** Shows which accounts a file would enter, asks, then enters them. */
async function importAccounts(session: Session, path: string, wishes: RowWishes): Promise<void> {
  const { client, screen, print } = session;
  const rows = await readRows(path, readAccounts, {
    isNotATable: (whole) => phrase('admin.isNotATableOfAccounts', { path, whole }),
    someRows: phrase('admin.someAccountsUnreadable', { path }),
  });
  const reason = await askReasonOfRows(session, wishes);
  await doRows<MappingRow, AccountRow>(session, rows, wishes, {
    send: (piece, _, dryRun) => client.mapAccounts({ rows: piece, dry_run: dryRun, reason }),
    show: (done) =>
      print(
        // Lines are counted in the file, and not in the pieces that were sent.
        done.map(({ line, answer }) => ({ ...(answer ?? { outcome: 'not-done' }), line })),
        ...screen.layOut(done.length > mostShown ? done.filter(isOpen) : done, rowColumns()),
      ),
    words: {
      notYet: (summarize) => phrase('admin.nothingWasEnteredYet', { summarize }),
      question: phrase('admin.enterThem'),
      nothing: phrase('admin.nothingWasEntered'),
    },
    advise: (done) => (done.some(isOpen) ? [phrase('admin.correctTheRefusedLines')] : []),
  });
}

/** Of very many rows, a person needs to see only those that were not done. */
const mostShown = 50;

type AccountOutcome = RowOutcome<MappingRow, AccountRow>;

const rowColumns = (): readonly Column<AccountOutcome>[] => [
  rightColumn('admin.headLine', ({ line }) => String(line)),
  column('shared.headUser', ({ row }) => row.user_id),
  column('shared.headSystem', ({ row }) => row.hpc),
  column('shared.headAccount', ({ row }) => row.account),
  column('admin.headOutcome', (row) => describe(row), { shrinks: true }),
];

function describe({ answer }: AccountOutcome): string {
  if (answer === undefined || answer.outcome === 'not-done') return phrase('admin.runItAgain');
  return answer.outcome === 'refused' ? describeRefusal(answer.problem) : term(answer.outcome);
}
