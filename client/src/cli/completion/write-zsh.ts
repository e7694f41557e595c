import type { Word, Words } from './list-words.ts';

export function writeZsh(all: readonly Words[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const describe = (words: readonly Word[]) => words.map(writeWord).join(' ');
    return `    ${quote(path.join(' '))}) commands=(${describe(commands)}) options=(${describe(options)}) ;;`;
  });
  const paths = all.map(({ path }) => quote(path.join(' '))).join('|');
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
  return quote(`${name}:${description}`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
