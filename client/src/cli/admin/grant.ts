import { Command, Option } from '@commander-js/extra-typings';
import { findProject } from '../session/find.ts';
import { readNodeTimeOption, readSpaceOption } from '../session/options.ts';
import { type Open, type Session, writeExamples } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { askReason, readEnd, readUser, reasonWords } from './act.ts';
import {
  changeQuota,
  periods,
  type RenewalWishes,
  readDayOfPeriod,
  readRenewal,
  showChange,
  type Wish,
} from './change-quota.ts';
import { grantMany } from './grant-file.ts';

export function createGrant(open: Open) {
  return new Command('grant')
    .description(
      'give node-hours to a user, on top of what is granted already; or to many, from a file',
    )
    .argument('[user]', 'the number of the user', readUser)
    .argument('[project]', 'the project, or a system for its default project')
    .argument('[amount]', 'how many node-hours: 500, "500 node-hours", 30m', readNodeTimeOption)
    .option('--space <size>', 'and so much space: 10GB', readSpaceOption)
    .option('--until <day>', 'the last day of the quota: "31 March", 2027-03-31', readEnd)
    .addOption(
      new Option('--every <period>', 'grant it now, and again every so often').choices(periods),
    )
    .option('--on <day>', 'on which day: 1, "1 October" (default: 1)', readDayOfPeriod)
    .option('--carry-over <amount>', 'how much of what is left is kept then', readNodeTimeOption)
    .option('--from <file>', 'a CSV file with a row for each grant')
    .option('--dry-run', 'with --from: only show what would change')
    .option('-y, --yes', 'with --from: do not ask')
    .option('--key <key>', 'with --from: of an earlier run, whose rows are not granted again')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin grant 306328 proj_hpc_one_01 500 --until "31 March" --reason "a course in spring"',
        'slipway admin grant 306328 hpc_two 100 --every monthly --on 1 --carry-over 20 --reason "her share"',
        'slipway admin grant --from grants.csv --dry-run',
      ),
    )
    .action(async (user, project, amount, options, command) => {
      const session = open(command);
      if (options.from !== undefined) {
        if (user !== undefined) throw oneOrMany();
        return grantMany(session, { ...options, from: options.from });
      }
      if (user === undefined || project === undefined || amount === undefined) throw oneOrMany();
      return grantOne(session, user, project, { ...options, amount });
    });
}

function oneOrMany(): CannotDo {
  return new CannotDo('Say who gets what: a user, a project and an amount, or a file of them.', {
    next: 'slipway admin grant USER PROJECT AMOUNT --reason "..."   (many: slipway admin grant --from FILE)',
  });
}

interface GrantWishes extends RenewalWishes {
  /** Seconds. */
  readonly amount: number;
  readonly until?: string | null | undefined;
  readonly reason?: string | undefined;
}

async function grantOne(
  session: Session,
  user: string,
  project: string,
  wishes: GrantWishes,
): Promise<void> {
  const wish = readGrant(wishes);
  const reason = await askReason(session, wishes.reason);
  const client = session.connect();
  const place = { user_id: user, ...(await findProject(client, project)) };
  const changed = await changeQuota(client, place, { ...wish, reason });
  await showChange(session, client, 'Granted', changed);
  if (changed.quota.usage?.space.granted === 0) {
    session.screen.tell('It has no space, which jobs with input need. Grant some: --space 10GB');
  }
}

function readGrant(wishes: GrantWishes): Omit<Wish, 'reason'> {
  const { amount, space, until } = wishes;
  if (amount < 0 || (space ?? 0) < 0) {
    throw new CannotDo('A grant gives; it takes nothing away.', {
      next: 'To take something away: slipway admin correct --help',
    });
  }
  const renews = readRenewal(amount, wishes);
  return {
    add: { time: amount, ...(space !== undefined && { space }) },
    ...(until !== undefined && { valid_until: until }),
    ...(renews && { renews }),
  };
}
