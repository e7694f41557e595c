import { Option } from '@commander-js/extra-typings';
import { findProject } from '../session/find.ts';
import { readNodeTimeOption, readSpaceOption } from '../session/options.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
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
  return createCommand(
    'grant',
    'add to the quota of a user, or of many',
    'slipway admin grant 306328 proj_hpc_one_01 500 --until "31 March" --reason "a course in spring"',
    'slipway admin grant 306328 hpc_two 100 --every monthly --on 1 --carry-over 20 --reason "her share"',
    'slipway admin grant --from grants.csv --dry-run',
  )
    .argument('[user]', 'user number', readUser)
    .argument('[project]', 'project, or system for its default project')
    .argument('[amount]', 'additional time: 500, "500 node-hours", 30m', readNodeTimeOption)
    .option('--space <size>', 'additional space: 10GB', readSpaceOption)
    .option('--until <day>', 'last day of the quota: "31 March", 2027-03-31', readEnd)
    .addOption(new Option('--every <period>', 'period of the renewal').choices(periods))
    .option('--on <day>', 'day of the renewal: 1, "1 October" (default: 1)', readDayOfPeriod)
    .option(
      '--carry-over <amount>',
      'remaining time that is kept at a renewal (default: none)',
      readNodeTimeOption,
    )
    .option('--from <file>', 'CSV file with one grant on each row')
    .option('--dry-run', 'show the changes of a file, grant nothing')
    .option('-y, --yes', 'skip the question, with --from')
    .option('--key <key>', 'key of an earlier run, whose rows are skipped')
    .option('--reason <text>', reasonWords)
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
  return new CannotDo('A grant needs a user, a project and an amount, or a file.', {
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
    session.screen.tell(
      'The quota has no space, which jobs with input need. To grant some: --space 10GB',
    );
  }
}

function readGrant(wishes: GrantWishes): Omit<Wish, 'reason'> {
  const { amount, space, until } = wishes;
  if (amount < 0 || (space ?? 0) < 0) {
    throw new CannotDo('A grant cannot be negative.', {
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
