import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Host } from '../host/host.ts';

/** How the parser writes and ends, the same for every command below. */
export function prepareParser(command: CommandUnknownOpts, host: Host): void {
  const { out, err } = host;
  command
    .exitOverride()
    .helpOption('-h, --help', 'what it does, and what it takes')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: writeTerm })
    .showHelpAfterError(`What it takes: ${pathOf(command)} --help`)
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => out.columns ?? 100,
      getErrHelpWidth: () => err.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) =>
        write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    });
  for (const child of command.commands) prepareParser(child, host);
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** What it takes besides options, which all of them have. */
function writeTerm(command: CommandUnknownOpts): string {
  const words = command.registeredArguments.map((word) => {
    const name = `${word.name()}${word.variadic ? '...' : ''}`;
    return word.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(' ');
}
