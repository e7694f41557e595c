import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { actKinds } from '../../../generated/choices.ts';
import type { Act } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import type { Open } from '../../session/open.ts';
import { readCount, readPastOption } from '../../session/read-options.ts';
import { showList } from '../../session/show-list.ts';
import { take } from '../../session/take.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { readUser } from '../act/read-user.ts';
import { actColumns } from './act-columns.ts';

const usualCount = 20;
const mostOfPage = 100;

export function createAudit(open: Open) {
  return new Command('audit')
    .description('show what administrators did, to whom and why, the newest first')
    .option('--user <user>', 'only what concerned this user', readUser)
    .option('--by <user>', 'only what this administrator did')
    .option(
      '--kind <kind>',
      `only acts of this kind: ${actKinds.map(shorten).join(', ')}`,
      readKind,
    )
    .option('--since <when>', 'only since then: 7d, 2026-11-01', readPastOption)
    .option('--until <when>', 'only before', readPastOption)
    .option('-l, --limit <count>', 'how many', readCount, usualCount)
    .option('-a, --all', 'all of them')
    .option('--csv', 'as CSV, with all fields')
    .addHelpText(
      'after',
      writeExamples(
        'slipway admin audit --user 306328',
        'slipway admin audit --kind removed --since 30d --all --csv',
      ),
    )
    .action(async ({ limit, all, csv, ...filter }, command) => {
      const session = open(command);
      const client = session.connect();
      const chargingOf = await readCharging(client);
      const most = all ? Infinity : limit;
      const page = Math.min(most, mostOfPage);
      const rows = await take(client.readAudit({ ...filter, limit: page }), most);
      showList(session, {
        rows,
        columns: actColumns(chargingOf),
        csv,
        none: 'No administrator has done any such thing.',
      });
      if (rows.length === most) session.screen.tell(`The newest ${most}. All of them: add --all`);
    });
}

/** `granted` is enough: no two kinds end alike. */
function shorten(kind: string): string {
  return kind.slice(kind.indexOf('-') + 1);
}

function readKind(text: string): Act['kind'] {
  // The stage is written with one l.
  const wanted = text.toLowerCase().replace(/^canceled$/, 'cancelled');
  const found = actKinds.find((kind) => kind === wanted || shorten(kind) === wanted);
  if (found) return found;
  throw new InvalidArgumentError(`Write one of ${actKinds.map(shorten).join(', ')}.`);
}
