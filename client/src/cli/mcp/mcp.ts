import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readNodeTime } from '../../format/amounts.ts';
import { createCommand, type Open } from '../session/session.ts';

export function createMcp(open: Open) {
  return createCommand(
    'mcp',
    'let an assistant run jobs (MCP over stdio)',
    'slipway mcp --budget 2h --folder ./studies',
  )
    .option(
      '--budget <time>',
      'time it may reserve without asking: 2h, "500 node-hours", 3600s (default: none)',
      readBudgetOption,
    )
    .option('--folder <folder>', 'folder it may take files from (default: the current one)')
    .action(async ({ budget = 0, folder }, command) => {
      const session = open(command);
      // Load the MCP SDK only here, because it is ten times the size of the rest of the command.
      const { serveAssistant } = await import('./server.ts');
      await serveAssistant(session, { budget, folder });
    });
}

/**
 * Reads a budget and returns seconds. Refuses a number without a unit: it would count as hours, so
 * somebody who meant seconds would grant 3,600 times as much.
 */
export function readBudgetOption(text: string): number {
  const seconds = readNodeTime(text);
  const hasUnit = /[a-z]/i.test(text);
  if (seconds === undefined || seconds < 0 || (seconds > 0 && !hasUnit)) {
    throw new InvalidArgumentError(
      'Write a time with its unit, such as 2h (two node-hours), "500 node-hours" or 3600s.',
    );
  }
  return seconds;
}
