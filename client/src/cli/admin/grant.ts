import { given } from '../../calls/given.ts';
import { readAmount, readEnd, readSpace, readUser } from '../session/options.ts';
import { createCommand, type Open } from '../session/session.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { reasonWords } from './act.ts';
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
