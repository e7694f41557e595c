import { type Command, Option } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { type Change, describeChange, everything } from '../../changes/describe-change.ts';
import { nameOf } from '../../changes/describe-problem.ts';
import { describeRefusal } from '../../changes/describe-refusal.ts';
import {
  type Charging,
  nameUnit,
  writeLeft,
  writeNodeTime,
  writeRest,
  writeSize,
  writeSpaceLeft,
} from '../../format/amounts/amounts.ts';
import {
  type DayOfPeriod,
  endsEarlier,
  lastDay,
  periods,
  type Renewal,
  readDayOfPeriod,
} from '../../format/quotas/read-grant.ts';
import { joinWords } from '../../format/sentences/join-words.ts';
import { writeDay } from '../../format/times/day.ts';
import type { GrantedRow, GrantRow, Quota, Slipway } from '../../index.ts';
import { term } from '../../words/terms.ts';
import { findProject, readCharging } from '../session/find.ts';
import { createReader, readAmount, readSpace, readUser } from '../session/options.ts';
import { CommandWithExamples, confirm, type Open, type Session } from '../session/session.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { askReason, reasonWords } from './act.ts';

/** A change of a quota. */
export type Wish = Omit<GrantRow, 'user_id' | 'hpc' | 'project_name' | 'reason'>;

interface Target {
  readonly user: string;
  readonly project: string;
  readonly reason: string | undefined;
}

/** Asks for a missing reason, changes the quota, and shows the change and what remains. */
export async function changeQuota(
  session: Session,
  done: string,
  { user, project, reason: given }: Target,
  wish: Wish,
): Promise<Quota> {
  const reason = await askReason(session, given);
  const { client } = session;
  const place = { user_id: user, ...(await findProject(client, project)) };
  const change = await sendChange(client, { ...place, ...wish, reason });
  const quota = await client.getQuotaOfUser({ ...place, expand: 'usage' });
  await showChange(session, done, quota, change);
  return quota;
}

/** Returns what a new end does, and undefined if it would shorten a quota and nobody wants that. */
export async function nameNewEnd(
  session: Session,
  { usage }: Quota,
  end: string | null,
): Promise<string | undefined> {
  if (!usage || !endsEarlier(end, usage)) return phrase('shared.doneExtended');
  session.screen.tell(
    usage.valid_until === null
      ? phrase('shared.itHasNoEndNow')
      : phrase('shared.itEndsLaterNow', { day: writeDay(usage.valid_until) }),
  );
  if (await confirm(session, phrase('shared.shortenIt'))) return phrase('shared.doneShortened');
  session.screen.tell(phrase('shared.nothingWasChanged'));
  return undefined;
}

/** Shows what changed and what remains. */
export async function showChange(
  { client, print }: Session,
  done: string,
  quota: Quota,
  change: Change | null,
): Promise<void> {
  const { user, project_name: projectName, project_hpc: hpc } = quota;
  const charging = (await readCharging(client))(hpc);
  const whose = phrase('admin.userInProject', { user, projectName });
  const words = describeChange(change, charging);
  print(
    quota,
    words === ''
      ? phrase('shared.unchangedTheQuotaIsAs', { whose })
      : `${done.padEnd(9)}  ${whose}: ${words}`,
    phrase('shared.remains', { left: describeQuotaLeft(quota, charging) }),
  );
}

/**
 * Sends the change as a list of one row. Only lists have a key, under which a retried change is
 * made once. Returns null if nothing changed.
 */
async function sendChange(client: Slipway, wanted: GrantRow): Promise<Change | null> {
  const [row] = await client.grantQuotas({ rows: [wanted] });
  if (row?.outcome === 'refused') throw explainRefusal(row.problem);
  if (row !== undefined && row.outcome !== 'not-done') return row.change;
  throw new CannotDo(phrase('admin.theServiceTimedOut'), {
    outcome: outcome.unreachable,
    next: phrase('shared.tryAgainInAFew'),
  });
}

type Problem = Extract<GrantedRow, { outcome: 'refused' }>['problem'];

function explainRefusal(problem: Problem): CannotDo {
  const { time, space, charging = 'mixed' } = problem;
  if (nameOf(problem) !== 'quota-in-use' || !time || !space) {
    return new CannotDo(`${problem.title}.`, {
      outcome: outcome.refused,
      next: describeRefusal(problem),
    });
  }
  return new CannotDo(phrase('admin.thisIsMoreThanCan'), {
    outcome: outcome.refused,
    next: phrase('admin.atMostAndOfSpace', {
      time: writeRest(time.left, charging),
      size: writeSize(space.left * 1000, 'floor'),
      time2: writeNodeTime(time.used, charging),
      time3: writeNodeTime(time.held, charging),
    }),
  });
}

/** `4,999 of 5,000 node-hours, 10 GB of 10 GB space, until 31 March 2027`. */
export function describeQuotaLeft({ usage, time_left }: Quota, charging: Charging): string {
  if (!usage) return writeNodeTime(time_left, charging);
  const { time, space, valid_until: end, renews } = usage;
  return [
    `${writeLeft(time.left, time.granted)} ${nameUnit(charging)}`,
    phrase('admin.sizeOfSpace', writeSpaceLeft(space)),
    ...(end === null ? [] : [phrase('shared.until', { moment: writeDay(end) })]),
    ...(renews?.next
      ? [phrase('admin.renewsNext', { term: term(renews.every), day: writeDay(renews.next) })]
      : []),
  ].join(', ');
}

export function createCorrect(open: Open) {
  return new CommandWithAmounts('correct')
    .description(phrase('admin.reduceAQuota'))
    .examples(
      'slipway admin correct 306328 proj_hpc_one_01 -20h --reason "typed one zero too many"',
      'slipway admin correct 306328 proj_hpc_one_01 --to 480 --reason "as agreed"',
    )
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .argument('<project>', phrase('shared.projectOrItsSystem'))
    .argument('[amount]', phrase('admin.timeToTakeAway20h'), readAmount)
    .option('--to <amount>', phrase('admin.newTotal'), readAmount)
    .option('--space <size>', phrase('admin.spaceToTakeAway5gb'), readSpace)
    .option('--space-to <size>', phrase('admin.newTotalOfSpace'), readSpace)
    .option('--stop-renewal', phrase('admin.endTheRenewal'))
    .option('--reason <text>', reasonWords())
    .action(async (user, project, amount, options, command) => {
      const wish = readCorrection(amount, options);
      const target = { user, project, reason: options.reason };
      await changeQuota(open(command), phrase('admin.doneCorrected'), target, wish);
    });
}

interface Wishes {
  readonly to?: number | undefined;
  readonly space?: number | undefined;
  readonly spaceTo?: number | undefined;
  readonly stopRenewal?: true | undefined;
}

function readCorrection(
  amount: number | undefined,
  { to, space, spaceTo, stopRenewal }: Wishes,
): Wish {
  const add = given({ time: amount, space });
  const set = given({ time: to, space: spaceTo });
  if (add && set) {
    throw new CannotDo(phrase('admin.anAmountAndANew'), {
      next: phrase('admin.useAnAmountAndSpace'),
    });
  }
  if (!add && !set && !stopRenewal) {
    throw new CannotDo(phrase('shared.theAmountIsMissing'), {
      next: phrase('admin.writeAnAmountToTake'),
    });
  }
  return { ...given({ add, set }), ...(stopRenewal && { renews: null }) };
}

/** Matches amounts such as `-20h`, which the parser would take for options. */
const amount = /^-\s*[\d.]/;

/** Creates a command that accepts negative amounts as arguments. */
class CommandWithAmounts extends CommandWithExamples {
  override parseOptions(words: string[]) {
    const { operands, unknown } = super.parseOptions(words);
    const isOption = (word: string) => word.startsWith('-') && !amount.test(word);
    return {
      operands: [...operands, ...unknown.filter((word) => !isOption(word))],
      unknown: unknown.filter(isOption),
    };
  }
}

const readDayOption = createReader(readDayOfPeriod, () =>
  phrase('admin.writeADayFrom1', { lastDay }),
);

export function withRenewalOptions(command: Command) {
  return command
    .addOption(new Option('--every <period>', phrase('admin.periodOfTheRenewal')).choices(periods))
    .option('--on <day>', phrase('admin.dayOfTheRenewal'), readDayOption)
    .option('--carry-over <amount>', phrase('admin.remainingTimeThatIsKept'), readAmount);
}

export interface RenewalWishes {
  readonly every?: Renewal['every'] | undefined;
  readonly on?: DayOfPeriod | undefined;
  readonly carryOver?: number | undefined;
  /** Kilobytes. */
  readonly space?: number | undefined;
}

/** Reads how a quota renews. Its space stays as it is unless each period grants some. */
export function readRenewal(
  time: number,
  { every, on, carryOver, space }: RenewalWishes,
): Renewal | undefined {
  if (every === undefined) {
    if (on === undefined && carryOver === undefined) return undefined;
    throw new CannotDo(phrase('admin.thePeriodOfTheRenewal'), {
      next: phrase('admin.addEvery', { periods: joinWords(periods, 'disjunction') }),
    });
  }
  if (every === 'monthly' && on?.month !== undefined) {
    throw new CannotDo(phrase('admin.monthlyRenewalsTakeADay'), {
      next: phrase('admin.writeOn', { on: on.on }),
    });
  }
  return {
    every,
    on: 1,
    ...on,
    to: { time, space: space ?? 0 },
    carry_over: { time: carryOver ?? 0, space: space === undefined ? everything : 0 },
  };
}
