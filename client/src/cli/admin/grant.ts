import { given } from '../../calls/given.ts';
import { describeChange } from '../../changes/describe-change.ts';
import { describeRefusal } from '../../changes/describe-refusal.ts';
import type { GrantedRow, Slipway } from '../../index.ts';
import type { ProjectPlace } from '../../rows/match-projects.ts';
import { RowUnreadable } from '../../rows/read-grant-row.ts';
import { type GrantOfTable, readGrants } from '../../rows/read-grants.ts';
import type { GrantRow } from '../../rows/send-rows.ts';
import { term } from '../../words/terms.ts';
import { type ChargingOf, findProject, readCharging } from '../session/find.ts';
import { readAmount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { reasonWords } from './act.ts';
import {
  changeQuota,
  type RenewalWishes,
  readRenewal,
  type Wish,
  withRenewalOptions,
} from './change-quota.ts';
import {
  askReasonOfRows,
  doRows,
  isOpen,
  type RowOutcome,
  type RowWishes,
  readRows,
} from './row-file.ts';

export function createGrant(open: Open) {
  return withRenewalOptions(
    createCommand('grant', phrase('admin.addToTheQuota')).examples(
      'slipway admin grant 306328 proj_hpc_one_01 500 --until "31 March" --reason "a course in spring"',
      'slipway admin grant 306328 hpc_two 100 --every monthly --on 1 --carry-over 20 --reason "her share"',
      'slipway admin grant --from grants.csv --dry-run',
    ),
  )
    .argument('[user]', phrase('shared.userNumber'), readUser)
    .argument('[project]', phrase('shared.projectOrItsSystem'))
    .argument('[amount]', phrase('shared.additionalTimeOrSo'), readAmount)
    .option('--space <size>', phrase('shared.additionalSpace'), readSpace)
    .option('--until <day>', phrase('admin.lastDayOfTheQuota'), readEnd)
    .option('--from <file>', phrase('admin.csvFileWithOneGrant'))
    .option('--dry-run', phrase('admin.showTheChanges'))
    .option('-y, --yes', phrase('admin.skipTheQuestion'))
    .option('--key <key>', phrase('admin.keyOfAnEarlierRun'))
    .option('--reason <text>', reasonWords())
    .action(async (user, project, amount, options, command) => {
      const session = open(command);
      if (options.from !== undefined) {
        if (user !== undefined) throw oneOrMany();
        return grantMany(session, { ...options, from: options.from });
      }
      if (user === undefined || project === undefined || amount === undefined) throw oneOrMany();
      const target = { user, project, reason: options.reason };
      const wish = readGrant({ ...options, amount });
      const quota = await changeQuota(session, phrase('shared.doneGranted'), target, wish);
      if (quota.usage?.space.granted === 0) {
        session.screen.tell(phrase('admin.theQuotaHasNoSpace'));
      }
    });
}

function oneOrMany(): CannotDo {
  return new CannotDo(phrase('admin.aGrantNeedsAUser'), {
    next: phrase('admin.slipwayAdminGrantUserProject'),
  });
}

interface GrantWishes extends RenewalWishes {
  /** Seconds. */
  readonly amount: number;
  readonly until?: string | null | undefined;
}

function readGrant(wishes: GrantWishes): Wish {
  const { amount, space, until } = wishes;
  if (amount < 0 || (space ?? 0) < 0) {
    throw new CannotDo(phrase('admin.aGrantCannotBeNegative'), {
      next: phrase('admin.toTakeSomethingAway'),
    });
  }
  const renews = readRenewal(amount, wishes);
  return {
    add: { time: amount, ...given({ space }) },
    ...given({ valid_until: until, renews }),
  };
}

interface Wishes extends RowWishes {
  readonly from: string;
  readonly key?: string | undefined;
}

type GrantOutcome = RowOutcome<GrantRow, GrantedRow>;

/** Shows what a file would change, asks, then grants it. */
async function grantMany(session: Session, wishes: Wishes): Promise<void> {
  const { client, screen, print } = session;
  const { from: path } = wishes;
  const find = rememberPlaces(client);
  const grants = await readRows(path, (text) => readGrants(text, find), {
    isNotATable: (whole) => phrase('admin.isNotATable', { path, whole }),
    someRows: phrase('admin.someRowsUnreadable', { path }),
  });
  const isReasoned = grants.every(({ row }) => row.reason !== undefined);
  const reason = isReasoned ? undefined : await askReasonOfRows(session, wishes);
  const key = wishes.key ?? (await makeKey(grants, reason));
  const columns = grantColumns(await readCharging(client));
  await doRows<GrantRow, GrantedRow>(session, grants, wishes, {
    send: (rows, piece, dryRun) =>
      client.grantQuotas(
        { rows, dry_run: dryRun, ...given({ reason }) },
        { idempotencyKey: `${key}-${piece}` },
      ),
    show: (rows) =>
      print(
        rows.map(({ answer }) => answer),
        ...screen.layOut(rows, columns),
      ),
    words: {
      notYet: (summarize) => phrase('admin.nothingWasGrantedYet', { summarize }),
      question: phrase('admin.grantIt'),
      nothing: phrase('admin.nothingWasGranted'),
    },
    advise: (done) => adviseAfter(done, wishes, key),
  });
}

/**
 * Derives a key from rows and reason, so that sending a file again grants nothing twice within a
 * day.
 */
async function makeKey(grants: readonly GrantOfTable[], reason = ''): Promise<string> {
  const { createHash } = await import('node:crypto');
  const meaning = JSON.stringify([grants, reason]);
  return createHash('sha256').update(meaning).digest('hex').slice(0, 12);
}

function adviseAfter(rows: readonly GrantOutcome[], { from }: Wishes, key: string): string[] {
  if (rows.some(isOpen)) {
    return [
      phrase('admin.correctTheOtherLines'),
      `  slipway admin grant --from ${from} --key ${key}`,
    ];
  }
  if (rows.some(({ answer }) => answer?.outcome !== 'unchanged')) return [];
  return [phrase('admin.allRowsAreUnchanged')];
}

/** Looks up each project once. */
function rememberPlaces(client: Slipway): (project: string) => Promise<ProjectPlace> {
  const known = new Map<string, Promise<ProjectPlace>>();
  return (project) => {
    const place = known.get(project) ?? findPlace(client, project);
    known.set(project, place);
    return place;
  };
}

async function findPlace(client: Slipway, project: string): Promise<ProjectPlace> {
  try {
    return await findProject(client, project);
  } catch (error) {
    throw error instanceof CannotDo ? new RowUnreadable(error.message) : error;
  }
}

function grantColumns(chargingOf: ChargingOf): readonly Column<GrantOutcome>[] {
  return [
    rightColumn('admin.headLine', ({ line }) => String(line)),
    column('shared.headUser', ({ row }) => row.user_id),
    column('shared.headProject', ({ row }) => row.project_name, { shrinks: true }),
    column('admin.headOutcome', ({ answer }) => term(answer?.outcome ?? 'not-done')),
    column('admin.headChange', (row) => describe(row, chargingOf), { shrinks: true }),
  ];
}

function describe({ row, answer }: GrantOutcome, chargingOf: ChargingOf): string {
  if (answer === undefined || answer.outcome === 'not-done') return phrase('admin.runItAgain');
  if (answer.outcome === 'refused') return describeRefusal(answer.problem);
  return describeChange(answer.change, chargingOf(row.hpc.toUpperCase()));
}
