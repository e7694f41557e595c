import { Command } from '@commander-js/extra-typings';
import type { Open } from '../session/open.ts';
import { writeExamples } from '../session/write-examples.ts';
import { readBudgetOption } from './spending/read-budget-option.ts';

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
      const { serveAssistant } = await import('./serve-assistant.ts');
      await serveAssistant(session, { budget, folder });
    });
}
