import type { GrantRow } from '../../../index.ts';
import { findProject } from '../../account/find-project.ts';
import { CannotDo } from '../../outcome/outcome.ts';
import type { Open } from '../../session/open.ts';
import { readNodeTimeOption, readSpaceOption } from '../../session/read-options.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { askReason, reasonWords } from '../act/ask-reason.ts';
import { readUser } from '../act/read-user.ts';
import { changeQuota } from './change-quota.ts';
import { CommandWithAmounts } from './command-with-amounts.ts';
import { showChange } from './show-change.ts';

export function createCorrect(open: Open) {
  return new CommandWithAmounts('correct')
    .description('take node-hours away, or set what is granted in all')
    .argument('<user>', 'the number of the user', readUser)
    .argument('<project>', 'the project, or a system for its default project')
    .argument('[amount]', 'what to take away (-20h) or to add (20h)', readNodeTimeOption)
    .option('--to <amount>', 'what is granted in all from now on', readNodeTimeOption)
    .option('--space <size>', 'space to take away (-5GB) or to add (5GB)', readSpaceOption)
    .option('--space-to <size>', 'the space that is granted in all from now on', readSpaceOption)
    .option('--stop-renewal', 'it does not renew any more')
    .option('--reason <text>', reasonWords)
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin correct 306328 proj_hpc_one_01 -20h --reason "typed one zero too many"',
        'slipway admin correct 306328 proj_hpc_one_01 --to 480 --reason "as agreed"',
      ),
    )
    .action(async (user, project, amount, options, command) => {
      const session = open(command);
      const wish = readCorrection(amount, options);
      const reason = await askReason(session, options.reason);
      const client = session.connect();
      const place = { user_id: user, ...(await findProject(client, project)) };
      const changed = await changeQuota(client, place, { ...wish, reason });
      await showChange(session, client, 'Corrected', changed);
    });
}

interface Wishes {
  readonly to?: number | undefined;
  readonly space?: number | undefined;
  readonly spaceTo?: number | undefined;
  readonly stopRenewal?: true | undefined;
}

type Correction = Pick<GrantRow, 'add' | 'set' | 'renews'>;

function readCorrection(
  amount: number | undefined,
  { to, space, spaceTo, stopRenewal }: Wishes,
): Correction {
  const add = amounts(amount, space);
  const set = amounts(to, spaceTo);
  if (add && set) {
    throw new CannotDo('Say either what changes, or what it is to be in all.', {
      next: 'Write an amount and --space, or --to and --space-to.',
    });
  }
  if (!add && !set && !stopRenewal) {
    throw new CannotDo('Nothing says what to correct.', {
      next: 'Write what to take away, such as -20h, or what is granted in all, such as --to 480.',
    });
  }
  return { ...(add && { add }), ...(set && { set }), ...(stopRenewal && { renews: null }) };
}

function amounts(time: number | undefined, space: number | undefined) {
  if (time === undefined && space === undefined) return undefined;
  return { ...(time !== undefined && { time }), ...(space !== undefined && { space }) };
}
