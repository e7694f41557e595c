import { writeCount } from '../../format/numbers/write-number.ts';
import { writeDuration } from '../../format/times/duration.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { type KeptOptions, openTemplates } from '../submission/templates.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { column } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

export function createTemplates(open: Open) {
  return createCommand('templates', phrase('jobs.listYourTemplatesForSubmissions'))
    .examples(
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
          throw new CannotDo(phrase('session.youHaveNoTemplate', { name: remove }));
        return session.screen.say(phrase('jobs.removedTemplate', { remove }));
      }
      showList(session, templates.list(), { none: phrase('jobs.youHaveNoTemplates') }, [
        column('jobs.headTemplate', ({ name }) => name),
        column('shared.headSystem', ({ hpc }) => hpc),
        column('jobs.headInput', ({ input = '' }) => input, { shrinks: true, spare: 2 }),
        column('jobs.headSize', ({ options }) => describeSize(options), { spare: 1 }),
        column('jobs.headRuns', ({ options }) => options.command ?? options.tool ?? '', {
          shrinks: true,
        }),
      ]);
    });
}

function describeSize({ nodes = 1, runtime }: KeptOptions): string {
  const lasting = runtime === undefined ? [] : [writeDuration(runtime * 3600)];
  return [writeCount(nodes, 'node'), ...lasting].join(', ');
}
