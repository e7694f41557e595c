import { readEndOption, readNodeTimeOption, readSpaceOption } from '../session/options.ts';
import { createCommand, type Open } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { readUser, reasonWords } from './act.ts';
import {
  changeQuota,
  type RenewalWishes,
  readRenewal,
  type Wish,
  withRenewalOptions,
} from './change-quota.ts';
import { grantMany } from './grant-file.ts';

export function createGrant(open: Open) {
  return withRenewalOptions(
    createCommand(
      'grant',
      'add to the quota of a user, or of many',
      'slipway admin grant 306328 proj_hpc_one_01 500 --until "31 March" --reason "a course in spring"',
      'slipway admin grant 306328 hpc_two 100 --every monthly --on 1 --carry-over 20 --reason "her share"',
      'slipway admin grant --from grants.csv --dry-run',
    ),
  )
    .argument('[user]', 'user number', readUser)
    .argument('[project]', 'project, or system for its default project')
    .argument('[amount]', 'additional time: 500, "500 node-hours", 30m', readNodeTimeOption)
    .option('--space <size>', 'additional space: 10GB', readSpaceOption)
    .option('--until <day>', 'last day of the quota: "31 March", 2027-03-31', readEndOption)
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
      const target = { user, project, reason: options.reason };
      const wish = readGrant({ ...options, amount });
      const quota = await changeQuota(session, 'Granted', target, wish);
      if (quota.usage?.space.granted === 0) {
        session.screen.tell(
          'The quota has no space, which jobs with input need. To grant some: --space 10GB',
        );
      }
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
}

function readGrant(wishes: GrantWishes): Wish {
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
