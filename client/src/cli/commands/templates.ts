import { writeDuration } from '../../format/duration.ts';
import { writeCount } from '../../format/write-number.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { type KeptOptions, openTemplates } from '../session/templates.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

export function createTemplates(open: Open) {
  return createCommand(
    'templates',
    phrase('jobs.listYourTemplatesForSubmissions'),
    'slipway submit hpc_one ./my-study --command "node study.mjs" --save-template study',
    'slipway submit --template study --nodes 4',
    'slipway templates --remove study',
  )
    .option('--remove <name>', phrase('jobs.removeATemplate'))
    .action(({ remove }, command) => {
      const session = open(command);
      const templates = openTemplates(session.host);
      if (remove !== undefined) {
        if (!templates.remove(remove))
          throw new CannotDo(phrase('jobs.noSuchTemplate', { remove }));
        return session.screen.say(phrase('jobs.removedTemplate', { remove }));
      }
      showList(session, {
        rows: templates.list(),
        columns: [
          { head: phrase('jobs.headTemplate'), cell: ({ name }) => name },
          { head: phrase('shared.headSystem'), cell: ({ hpc }) => hpc },
          {
            head: phrase('jobs.headInput'),
            cell: ({ input = '' }) => input,
            shrinks: true,
            spare: 2,
          },
          { head: phrase('jobs.headSize'), cell: ({ options }) => describeSize(options), spare: 1 },
          {
            head: phrase('jobs.headRuns'),
            cell: ({ options }) => options.command ?? options.tool ?? '',
            shrinks: true,
          },
        ],
        none: phrase('jobs.youHaveNoTemplates'),
      });
    });
}

function describeSize({ nodes = 1, time }: KeptOptions): string {
  return [writeCount(nodes, 'node'), ...(time === undefined ? [] : [writeDuration(time)])].join(
    ', ',
  );
}
