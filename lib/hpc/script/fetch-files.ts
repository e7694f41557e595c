import type { Fetching } from '#lib/catalog/input-addresses.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { inputTime, scriptExits } from './script-terms.ts';

/** More than any mirror needs, and an end for two places that lead to each other. */
export const mostRedirects = 5;

/** A file that arrives more slowly than this for a minute is asked for again. */
export const leastBytesPerSecond = 1000;

/** Lists the files of a job: from, to and checksum of each. */
export function listFetches({ files }: Fetching): string {
  const words = files.flatMap(({ from, to, sha256 = '' }) => [from, to, sha256]);
  return `fetches=(${words.map(quoteForShell).join(' ')})\n`;
}

/**
 * Defines how the script fetches files from addresses. Follows redirects by hand, because each may
 * only lead to a host that the catalog allows, and goes on where a try ended. Nobody checks numbers
 * of networks here: the command of a job can call whatever its node reaches, and a node that leaves
 * its site through a proxy sees no other number.
 *
 * What fails is said on standard error by the name of the file. An address may hold a signature, so
 * only its host is named.
 */
export function fetchFiles(
  { hosts, trusted = [], maxBytes }: Fetching,
  untilSeconds: number,
): string {
  return `
is_allowed() {
  local host=\${1#*://}
  host=\${host%%[/?#]*}
  case $host in *[@\\\\]*) return 1 ;; esac
  case \${1%%://*}://\${host,,} in ${[...hosts, ...trusted].map(writePattern).join(' | ')}) return 0 ;; esac
  return 1
}
fetch_part() {
  local address=$1 escaped answer status turns=0
  while :; do
    fetched_host=\${address#*://} fetched_host=\${fetched_host%%[/?#]*}
    if ! is_allowed "$address"; then
      why='it is not among the hosts that this system allows' hopeless=yes
      return 1
    fi
    if [ $((${untilSeconds} - SECONDS)) -lt 1 ]; then
      why='there was no time left' hopeless=yes
      return 1
    fi
    escaped=\${address//\\\\/\\\\\\\\} escaped=\${escaped//\\"/\\\\\\"}
    answer=$(
      exec 2>/dev/null
      ulimit -f $((${maxBytes} / 1024 + 1))
      printf 'url = "%s"\\n' "$escaped" | call --fail --location --max-redirs 0 --continue-at - \\
        --speed-limit ${leastBytesPerSecond} --speed-time 60 --max-time $((${untilSeconds} - SECONDS)) \\
        --output ../fetched.part
    )
    status=$?
    if [ "$status" -ne 47 ]; then break; fi
    address=\${answer#* } turns=$((turns + 1))
    if [ "$turns" -gt ${mostRedirects} ]; then
      why='it redirects too often' hopeless=yes
      return 1
    fi
  done
  answer=\${answer%% *}
  if [ "$status" -eq 0 ]; then return 0; fi
  why="HTTP $answer"
  case $status in
    28)
      why='it was too slow'
      if [ $((${untilSeconds} - SECONDS)) -lt 1 ]; then hopeless=yes; fi
      ;;
    22) case $answer in
      416) rm -f ../fetched.part ;;
      408 | 425 | 429 | 5*) ;;
      *) hopeless=yes ;;
      esac ;;
    33) rm -f ../fetched.part ;;
    23 | 153) why='it is larger than ${maxBytes} bytes, or there is no space for it' hopeless=yes ;;
    *) if [ -z "$answer" ] || [ "$answer" = 000 ]; then why='no answer'; else why='it ended early'; fi ;;
  esac
  say "$2: $fetched_host: $why."
  return 1
}
fetch_file() {
  local to=$2 hash=$3 have
  rm -f ../fetched.part
  : >../fetched.part
  keep_trying fetch_part "$1" "$to" || return 1
  if [ "$(wc -c <../fetched.part)" -gt ${maxBytes} ]; then
    why='it is larger than ${maxBytes} bytes'
    return 1
  fi
  have=$(sha256sum <../fetched.part)
  if [ -n "$hash" ] && [ "\${have%% *}" != "$hash" ]; then
    why="its checksum is \${have%% *}"
    return 1
  fi
  if ! { mkdir -p -- "./$(dirname -- "./$to")" && mv -f -- ../fetched.part "./$to"; }; then
    why='it could not be put there'
    return 1
  fi
  touch -d @${inputTime} -- "./$to"
  find "./$to" -type f -printf '%s %T@ %C@ %i %p\\0' >>../input.list
}
fetch_files() {
  local at why= fetched_host=
  for ((at = 0; at < \${#fetches[@]}; at += 3)); do
    if ! fetch_file "\${fetches[@]:at:3}"; then
      printf 'slipway: The input %s could not be fetched from %s: %s.\\n' "\${fetches[at + 1]}" "$fetched_host" "$why" >&2
      return ${scriptExits.addressNotFetched}
    fi
  done
}
`;
}

/**
 * Fetches before the clock of the command begins, if the site pays for it. The command does not run
 * if that fails, and the job ends as if it had said so.
 */
export function runWhenFetched(run: string, fetching: Fetching | undefined): string {
  if (fetching?.paidBy !== 'site') return run;
  return `
if [ "\${#fetches[@]}" -gt 0 ] && ! fetch_files 2>stderr; then
  : >stdout
  began=$SECONDS ended=$SECONDS code=${scriptExits.addressNotFetched} ending=
else
${run}
fi
`;
}

/** Fetches as part of the command, whose time is charged. */
export const fetchWithinCommand = `  if [ "\${#fetches[@]}" -gt 0 ]; then fetch_files 1>&2 || exit ${scriptExits.addressNotFetched}; fi
`;

/** Writes a host as a pattern of the shell. The host that is compared has no slash in it. */
function writePattern(host: string): string {
  const whole = host.startsWith('http:') ? host : `https://${host}`;
  return whole.startsWith('https://*')
    ? `https://*${quoteForShell(whole.slice(9))}`
    : quoteForShell(whole);
}
