import { longestRetrySeconds } from '#lib/hpc/connector.ts';
import { quoteForShell } from '#lib/hpc/quote-for-shell.ts';

/**
 * From the first try to the last one. The pauses in between are by chance, so that many jobs do not
 * come at once, and short, so that a job does not go on waiting for a service that is back.
 */
export const patienceSeconds = 300;

/**
 * What the script calls the service and its storage with. Addresses go to curl by its standard
 * input: arguments can be read by everybody on the node. `call` prints the status and where it was
 * sent on to. No option is younger than what the oldest clusters have.
 *
 * A job that waited for days must not fail for a minute of ours: it tries for five minutes, unless
 * the answer says that no try will help.
 */
export const callCurl = `
once=
say() {
  printf 'slipway: %s\\n' "$*"
}
call() {
  curl -q --config - --globoff --proto =http,https --silent --show-error --connect-timeout 30 \\
    --speed-limit 1 --speed-time 300 --write-out '%{http_code} %{redirect_url}' "$@"
}
explain_failure() {
  case $2 in
    000) say "$1: no answer." ;;
    400 | 405 | 413) hopeless=yes && say "$1: refused with HTTP $2." ;;
    404) hopeless=yes && say "$1: refused with HTTP 404. Slipway knows no such living job:" \\
      'it was cancelled, or counts as ended, or was handed over many months ago.' ;;
    *) say "$1: HTTP $2." ;;
  esac
  return 1
}
keep_trying() {
  local pause=0 waited=0 last=$((SECONDS + ${patienceSeconds}))
  hopeless=
  while :; do
    if "$@"; then return 0; fi
    if [ -n "$hopeless$once" ]; then return 1; fi
    if [ "$waited" -ge ${patienceSeconds} ] || [ "$SECONDS" -ge "$last" ]; then break; fi
    pause=$((pause < 8 ? pause * 2 + 1 + RANDOM % 2 : ${longestRetrySeconds / 2} + RANDOM % ${longestRetrySeconds / 2}))
    if [ "$pause" -gt $((${patienceSeconds} - waited)) ]; then pause=$((${patienceSeconds} - waited)); fi
    waited=$((waited + pause))
    sleep "$pause"
  done
  say 'That was the last try.'
  return 1
}
`;

/** For a line of curl's own configuration, in which a backslash and a quotation mark are special. */
export function quoteForCurl(address: string): string {
  return quoteForShell(new URL(address).href.replaceAll(/["\\]/g, '\\$&'));
}
