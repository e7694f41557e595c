import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { readNodeTime } from '../../format/node-time.ts';
import { type Open, writeExamples } from '../session/session.ts';

export function createMcp(open: Open) {
  return new Command('mcp')
    .description('let an assistant run jobs for you (Model Context Protocol, over stdio)')
    .option(
      '--budget <time>',
      'how much it may reserve before it has to ask: 2h, "500 node-hours", 3600s (default: nothing)',
      readBudgetOption,
    )
    .option(
      '--folder <folder>',
      'where it may take files from: this folder and those below it (default: the current one)',
    )
    .addHelpText('after', writeExamples('slipway mcp --budget 2h --folder ./studies'))
    .action(async ({ budget = 0, folder }, command) => {
      const session = open(command);
      // The protocol is ten times the rest of the command: only this one loads it.
      const { serveAssistant } = await import('./server.ts');
      await serveAssistant(session, { budget, folder });
    });
}

/**
 * Seconds of a quota. A number alone is refused: whoever means seconds would give 3,600 times as
 * much away.
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
