import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Session } from './session.ts';

/** A session with what was said before and after the name of the command. */
export type Open = (command: CommandUnknownOpts) => Session;

/** An example for each command: it is what people read first. */
export function writeExamples(...lines: readonly string[]): string {
  const head = lines.length === 1 ? 'Example' : 'Examples';
  return `\n${head}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
