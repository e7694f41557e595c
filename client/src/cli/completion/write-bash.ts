import type { Words } from './list-words.ts';

/** The words so far choose what may follow; where a value or a file is meant, bash knows files. */
export function writeBash(all: readonly Words[]): string {
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
