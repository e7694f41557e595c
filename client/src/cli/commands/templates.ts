import { writeDuration } from '../../format/duration.ts';
import { writeCount } from '../../format/write-number.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { type KeptOptions, openTemplates } from '../session/templates.ts';
import { CannotDo } from '../terminal/outcome.ts';

export function createTemplates(open: Open) {
  return createCommand(
    'templates',
    'list your templates for submissions',
    'slipway submit hpc_one ./my-study --command "node study.mjs" --save-template study',
    'slipway submit --template study --nodes 4',
    'slipway templates --remove study',
  )
    .option('--remove <name>', 'remove a template')
    .action(({ remove }, command) => {
      const session = open(command);
      const templates = openTemplates(session.host);
      if (remove !== undefined) {
        if (!templates.remove(remove)) throw new CannotDo(`You have no template '${remove}'.`);
        return session.screen.say(`Removed ${remove}.`);
      }
      showList(session, {
        rows: templates.list(),
        columns: [
          { head: 'TEMPLATE', cell: ({ name }) => name },
          { head: 'SYSTEM', cell: ({ hpc }) => hpc },
          { head: 'INPUT', cell: ({ input = '' }) => input, shrinks: true, spare: 2 },
          { head: 'SIZE', cell: ({ options }) => describeSize(options), spare: 1 },
          {
            head: 'RUNS',
            cell: ({ options }) => options.command ?? options.tool ?? '',
            shrinks: true,
          },
        ],
        none: 'You have no templates. Save one: slipway submit ... --save-template NAME',
      });
    });
}

function describeSize({ nodes = 1, time }: KeptOptions): string {
  return [writeCount(nodes, 'node'), ...(time === undefined ? [] : [writeDuration(time)])].join(
    ', ',
  );
}
