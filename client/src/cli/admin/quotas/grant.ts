import { Command, Option } from '@commander-js/extra-typings';
import { CannotDo } from '../../outcome/outcome.ts';
import type { Open } from '../../session/open.ts';
import { readNodeTimeOption, readSpaceOption } from '../../session/read-options.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { reasonWords } from '../act/ask-reason.ts';
import { readEnd } from '../act/read-end.ts';
import { readUser } from '../act/read-user.ts';
import { grantMany } from '../bulk/grant-many.ts';
import { grantOne } from './grant-one.ts';
import { periods, readDayOfPeriod } from './read-renewal.ts';

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
