import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { createCommand, type Open } from '../session/session.ts';

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const;

export function createCompletion(open: Open) {
  return createCommand(
    'completion',
    'print a shell completion script',
    'source <(slipway completion bash)',
    'slipway completion zsh > $fpath[1]/_slipway',
    'slipway completion fish > ~/.config/fish/completions/slipway.fish',
  )
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .action((shell, _, command) => {
      const { screen } = open(command);
      const whole = command.parent;
      if (whole) screen.raw(writers[shell](listWords(whole)));
    });
}

/** The words that can follow a command: subcommands and options. */
export interface Words {
  /** The path of the command, without `slipway`. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly (Word & { readonly takesValue: boolean })[];
}

export interface Word {
  readonly name: string;
  readonly description: string;
}

function listWords(
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

/** Completes by the words so far. For values and files bash falls back to file names. */
function writeBash(all: readonly Words[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const names = [...commands, ...options].map(({ name }) => name).join(' ');
    return `    '${path.join(' ')}') words='${names}' ;;`;
  });
  const paths = all.map(({ path }) => `'${path.join(' ')}'`).join('|');
  const valued = all.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue));
  const values = [...new Set(valued.map(({ name }) => name))].join('|');
  return `_slipway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' word words next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in ${paths}) path="$next" ;; esac
  done
  case "$previous" in ${values}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _slipway slipway
`;
}

function writeZsh(all: readonly Words[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const describe = (words: readonly Word[]) => words.map(writeWord).join(' ');
    return `    ${quoteForZsh(path.join(' '))}) commands=(${describe(commands)}) options=(${describe(options)}) ;;`;
  });
  const paths = all.map(({ path }) => quoteForZsh(path.join(' '))).join('|');
  return `#compdef slipway
_slipway() {
  local path_so_far='' word next
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${path_so_far:+$path_so_far }$word"
    case "$next" in ${paths}) path_so_far="$next" ;; esac
  done
  case "$path_so_far" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
    _describe -o option options
  else
    (( \${#commands} )) && _describe command commands
    _files
  fi
}
if [ "$funcstack[1]" = '_slipway' ]; then _slipway "$@"; else compdef _slipway slipway; fi
`;
}

function writeWord({ name, description }: Word): string {
  return quoteForZsh(`${name}:${description}`);
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function writeFish(all: readonly Words[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const where = `-n ${quoteForFish(writeCondition(path, commands))}`;
    return [
      ...commands.map(
        ({ name, description }) =>
          `complete -c slipway ${where} -f -a ${name} -d ${quoteForFish(description)}`,
      ),
      ...options.map(
        ({ name, description, takesValue }) =>
          `complete -c slipway ${where} -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${quoteForFish(description)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** Matches after all words of the path and before any subcommand. */
function writeCondition(path: readonly string[], commands: Words['commands']): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = commands.map(({ name }) => name).join(' ');
  const ahead = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
  return [...seen, ...ahead].join('; and ') || 'true';
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
