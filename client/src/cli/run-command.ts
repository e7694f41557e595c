import { Command, CommanderError } from '@commander-js/extra-typings';
import type { Host } from './host/host.ts';
import { explain } from './outcome/explain.ts';
import { type Outcome, outcome } from './outcome/outcome.ts';
import { createProgram } from './program.ts';
import { openScreen } from './screen/screen.ts';
import { openSession } from './session/session.ts';

/** Runs `slipway ...`, and says how it ended. */
export async function runCommand(words: readonly string[], host: Host): Promise<Outcome> {
  const interrupt = new AbortController();
  host.onInterrupt(() => interrupt.abort());
  let ended: Outcome = outcome.done;
  const program = createProgram(host, (command) =>
    openSession(host, command.optsWithGlobals(), interrupt.signal, (how) => {
      ended = how;
    }),
  );
  try {
    await program.parseAsync([...words, ...(isBare(words) ? ['overview'] : [])], { from: 'user' });
    return ended;
  } catch (error) {
    // The parser has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? outcome.done : outcome.usage;
    const screen = openScreen(host);
    screen.endProgress();
    const { lines, outcome: how } = explain(error, interrupt.signal.aborted);
    screen.tell(...lines);
    return how;
  }
}

/** Whether it says only as whom and how, and not what. */
function isBare(words: readonly string[]): boolean {
  const globals = new Command()
    .option('--profile <name>')
    .option('--json')
    .option('--timeout <time>')
    .exitOverride();
  const { operands, unknown } = globals.parseOptions([...words]);
  return operands.length === 0 && unknown.length === 0;
}
