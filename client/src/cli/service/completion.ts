import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { createCommand, type Open } from '../session/session.ts';
import { phrase } from '../words/phrase.ts';

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const;

export function createCompletion(open: Open) {
  return createCommand('completion', phrase('service.printACompletionScript'))
    .examples(
      'source <(slipway completion bash)',
      'slipway completion zsh > $fpath[1]/_slipway',
      'slipway completion fish > ~/.config/fish/completions/slipway.fish',
    )
    .addArgument(
      new Argument('<shell>', phrase('service.bashZshOrFish')).choices(['bash', 'zsh', 'fish']),
    )
    .action((shell, _, command) => {
      const { screen } = open(command);
      const whole = command.parent;
      if (whole) screen.raw(writers[shell](listWords(whole)));
    });
}

/** The words that can follow a command: subcommands, options and arguments. */
export interface Words {
  /** The path of the command, without `slipway`. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  readonly arguments: readonly ArgumentWord[];
}

interface Word {
  readonly name: string;
  readonly description: string;
}

interface OptionWord extends Word {
  readonly short: string | undefined;
  readonly takesValue: boolean;
  /** The kinds of names that the service knows for its value. */
  readonly kinds: string;
}

interface ArgumentWord {
  readonly kinds: string;
  readonly isLast: boolean;
}

/** The kinds of names for arguments and options, by their own names. All others are files. */
const kindsOf: Readonly<Record<string, string>> = {
  hpc: 'systems',
  project: 'projects',
  job: 'jobs',
  batch: 'batches',
  id: 'jobs,batches',
  ids: 'jobs,batches',
  after: 'jobs,batches',
  'after-any': 'jobs,batches',
  'input-from': 'jobs,batches',
  template: 'templates',
  profile: 'profiles',
};

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
      arguments: command.registeredArguments.map((each) => ({
        // The jobs of others are not listed for their administrators, because there are too many.
        kinds: path[0] === 'admin' && each.name() === 'job' ? '' : (kindsOf[each.name()] ?? ''),
        isLast: each.variadic,
      })),
    },
    ...commands.flatMap((each) => listWords(each, [...path, each.name()], globals)),
  ];
}

function listOptions(command: CommandUnknownOpts): Words['options'] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, short, description, required, optional }) =>
      typeof long === 'string'
        ? [
            {
              name: long,
              short,
              description,
              takesValue: required || optional,
              kinds: kindsOf[long.slice(2)] ?? '',
            },
          ]
        : [],
    );
}

/** Lists the options with a value, by the kinds of names that it can have. */
function groupValued(all: readonly Words[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>();
  for (const { takesValue, kinds, name, short } of all.flatMap(({ options }) => options)) {
    if (!takesValue) continue;
    const group = groups.get(kinds) ?? new Set();
    for (const each of [name, short]) if (each !== undefined) group.add(each);
    groups.set(kinds, group);
  }
  return new Map([...groups].map(([kinds, names]) => [kinds, [...names]]));
}

/**
 * Writes the part that bash and zsh share: it follows the words so far to the path of a command,
 * counts its arguments, and finds the kinds of names for the next word.
 */
function writeSearch(all: readonly Words[], words: string, previous: string): string {
  const groups = groupValued(all);
  const valued = [...groups.values()].flat().join('|');
  const paths = all.map(({ path }) => `'${path.join(' ')}'`).join('|');
  const named = [...groups].filter(([kinds]) => kinds !== '');
  const places = all.flatMap(({ path, arguments: list }) =>
    list.flatMap(({ kinds, isLast }, at) =>
      kinds === '' ? [] : [`'${path.join(' ')}:'${isLast ? '*' : at}) kinds='${kinds}' ;;`],
    ),
  );
  return `  for word in ${words}; do
    if [ -n "$skip" ]; then skip=''; continue; fi
    case "$word" in
      ${valued}) skip=1; continue ;;
      -*) continue ;;
    esac
    next="\${slipway_path:+$slipway_path }$word"
    case "$next" in
      ${paths}) slipway_path="$next"; count=0 ;;
      *) count=$((count+1)) ;;
    esac
  done
  if [ -n "$skip" ]; then
    case "${previous}" in
${named.map(([kinds, names]) => `      ${names.join('|')}) kinds='${kinds}' ;;`).join('\n')}
    esac
  else
    case "$slipway_path:$count" in
${places.map((place) => `      ${place}`).join('\n')}
    esac
  fi
`;
}

/** Completes by the words so far. For values and files bash falls back to file names. */
function writeBash(all: readonly Words[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const names = [...commands, ...options].map(({ name }) => name).join(' ');
    return `    '${path.join(' ')}') words='${names}' ;;`;
  });
  const search = writeSearch(
    all,
    `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`,
    `\${COMP_WORDS[COMP_CWORD-1]}`,
  );
  return `_slipway() {
  local current="\${COMP_WORDS[COMP_CWORD]}" slipway_path='' word words='' next skip='' kinds='' count=0
${search}  COMPREPLY=()
  if [ -n "$kinds" ] && [[ "$current" != -* ]]; then
    COMPREPLY=($("\${COMP_WORDS[0]}" complete "$kinds" "$current" 2>/dev/null))
  fi
  if [ -z "$skip" ]; then
    case "$slipway_path" in
${cases.join('\n')}
    esac
    if [ "$count" = 0 ] || [[ "$current" == -* ]]; then
      COMPREPLY+=($(compgen -W "$words" -- "$current"))
    fi
  fi
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _slipway slipway
`;
}

function writeZsh(all: readonly Words[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const describe = (words: readonly Word[]) =>
      words.map(({ name, description }) => quoteForZsh(`${name}:${description}`)).join(' ');
    return `    ${quoteForZsh(path.join(' '))}) commands=(${describe(commands)}) options=(${describe(options)}) ;;`;
  });
  const search = writeSearch(all, `"\${(@)words[2,CURRENT-1]}"`, `\${words[CURRENT-1]}`);
  return `#compdef slipway
_slipway() {
  local slipway_path='' word next skip='' kinds='' count=0
  local -a commands options names
${search}  case "$slipway_path" in
${cases.join('\n')}
  esac
  if [[ -z "$skip" && "$words[CURRENT]" == -* ]]; then
    _describe -o option options
    return
  fi
  if [[ -z "$skip" ]] && (( \${#commands} )); then _describe command commands; fi
  if [[ -n "$kinds" ]]; then
    names=("\${(@f)$("$words[1]" complete "$kinds" "$words[CURRENT]" --describe 2>/dev/null)}")
    names=("\${(@)names/$'\t'/:}")
    [[ -n "$names[1]" ]] && _describe name names && return
  fi
  _files
}
if [ "$funcstack[1]" = '_slipway' ]; then _slipway "$@"; else compdef _slipway slipway; fi
`;
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function writeFish(all: readonly Words[]): string {
  const lines = all.flatMap(({ path, commands, options, arguments: places }) => {
    const where = `-n ${quoteForFish(writeCondition(path, commands))}`;
    return [
      ...commands.map(
        ({ name, description }) =>
          `complete -c slipway ${where} -f -a ${name} -d ${quoteForFish(description)}`,
      ),
      ...options.map(
        ({ name, short, description, takesValue, kinds }) =>
          `complete -c slipway ${where} -l ${name.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}${takesValue ? ` -r${writeNames(kinds)}` : ''} -d ${quoteForFish(description)}`,
      ),
      ...[...new Set(places.map(({ kinds }) => kinds))]
        .filter((kinds) => kinds !== '')
        .map((kinds) => `complete -c slipway ${where}${writeNames(kinds)}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** Asks the service for names. Fish itself keeps those that match. */
function writeNames(kinds: string): string {
  if (kinds === '') return '';
  return ` -f -a '(slipway complete ${kinds} (commandline -ct) --describe 2>/dev/null)'`;
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
