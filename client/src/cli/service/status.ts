import { Command } from '@commander-js/extra-typings';
import { createClient } from '../../node/index.ts';
import { outcome } from '../outcome/outcome.ts';
import type { Open } from '../session/open.ts';
import { writeExamples } from '../session/write-examples.ts';

export function createStatus(open: Open) {
  return new Command('status')
    .description('say whether the service and its systems are up')
    .option('--url <url>', 'of another service than the one where you are signed in')
    .addHelpText('after', writeExamples('slipway status'))
    .action(async ({ url }, command) => {
      const session = open(command);
      const { screen, json } = session;
      const baseUrl = url ?? session.address();
      const client = createClient({ baseUrl, retries: 1, ...session.limits() });
      const { status, version, systems } = await client.readStatus();
      if (systems.some((system) => system.status === 'down')) session.end(outcome.unreachable);
      if (json) return screen.say(JSON.stringify({ status, version, systems }, null, 2));
      screen.say(`${baseUrl} is ${status}.`);
      for (const system of systems) {
        const colour = system.status === 'up' ? 'green' : 'yellow';
        screen.say(`  ${screen.paint(colour, describe(system.status))}  ${system.name}`);
      }
    });
}

function describe(status: 'up' | 'down' | 'unknown'): string {
  if (status === 'up') return '✔ up     ';
  return status === 'down' ? '✘ down   ' : '? unknown';
}
