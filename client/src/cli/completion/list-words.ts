import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** What can follow a command: its own commands, and its options. */
export interface Words {
  /** The names that lead to it, without that of the whole. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly takesValue: boolean })[];
}

export interface Word {
  readonly name: string;
  readonly description: string;
}

export function listWords(
  command: CommandUnknownOpts,
  path: readonly string[] = [],
  globals: Words['options'] = listOptions(command),
): Words[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own = path.length === 0 ? [] : listOptions(command);
  return [
    {
      path,
      commands: commands.map((each) => ({ name: each.name(), description: each.description() })),
      options: [...own, ...globals.filter(({ name }) => !own.some((each) => each.name === name))],
    },
    ...commands.flatMap((each) => listWords(each, [...path, each.name()], globals)),
  ];
}

function listOptions(command: CommandUnknownOpts): Words['options'] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description, required, optional }) =>
      typeof long === 'string'
        ? [{ name: long, description, takesValue: required || optional }]
        : [],
    );
}
