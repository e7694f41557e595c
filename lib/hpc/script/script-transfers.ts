import { longestRetrySeconds, outputTailBytes } from '../connector.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { inputTime, patienceSeconds, scriptExits } from './script-terms.ts';

/**
 * Defines how the script calls the service and its storage. curl reads addresses from standard input,
 * because everybody on the node can see arguments. `call` prints the status and the redirect. All
 * options work with the curl of the oldest clusters.
 *
 * A job that waited for days must not fail for an outage of a minute, so it retries for five minutes,
 * unless the answer says that retrying is pointless.
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

/** Escapes backslashes and quotation marks for a line of curl's configuration. */
export function quoteForCurl(address: string): string {
  return quoteForShell(new URL(address).href.replaceAll(/["\\]/g, '\\$&'));
}

/**
 * Tells in Python whether an entry would leave its folder, or is a link. The service refuses such
 * zips when they are submitted. Python would only change the names, without a word.
 */
export const defineUnsafe = `
def is_unsafe(entry):
    name, kind = entry.filename, entry.external_attr >> 28
    return name.startswith("/") or "\\\\" in name or ".." in name.split("/") or kind == 0o12
`;

/** Restores the permission to execute, which Python drops when it unpacks. */
const unpackByPython = `
import os, sys, zipfile
${defineUnsafe}
with zipfile.ZipFile("../input.zip") as archive:
    if any(is_unsafe(entry) for entry in archive.infolist()):
        sys.exit(${scriptExits.inputNotUnpacked})
    for entry in archive.infolist():
        path = archive.extract(entry)
        if entry.external_attr >> 16 & 0o100 and os.path.isfile(path):
            os.chmod(path, 0o700)
`;

export const fetchInput = `
fetch_input() {
  local answer
  answer=$(printf 'url = "%s"\\n' "$input_address" | call --location --output ../input.zip) &&
    [ "\${answer%% *}" = 200 ] && return 0
  explain_failure 'The input could not be fetched' "\${answer%% *}"
}
keep_trying fetch_input || exit ${scriptExits.inputNotFetched}
`;

/**
 * Tries Python first, because some builds of unzip garble UTF-8 names in zips made by a browser or on
 * Windows. unzip exits with 1 if it only warns, for example about an empty archive. Without GNU find
 * the list of the input stays empty, and everything is sent. A zip that the script did not fetch
 * stays, for the case that the system starts the job again.
 */
export const unpackInput = `
unpack_input() {
  if command -v python3 >/dev/null; then
    python3 -I -c ${quoteForShell(unpackByPython)}
    case $? in 0) return 0 ;; ${scriptExits.inputNotUnpacked}) return 1 ;; esac
  fi
  if unzip -Z ../input.zip | grep -qE '^l| (/|(.*/)?\\.\\.(/|$))'; then return 1; fi
  unzip -q -o ../input.zip || [ $? -eq 1 ]
}
unpack_input || exit ${scriptExits.inputNotUnpacked}
if [ -n "$input_address" ]; then rm -f ../input.zip; fi
find . -type f -exec touch -d @${inputTime} {} +
list_files >../input.list
`;

/** Removes input that the command did not change, so that it is not among the results. */
export const removeInput = `
: >../input.list
list_files() {
  find . -type f -printf '%s %T@ %C@ %i %p\\0'
}
remove_input() {
  local -A known
  local entry
  while IFS= read -r -d '' entry; do known[$entry]=yes; done <../input.list
  while IFS= read -r -d '' entry; do
    if [ -n "\${known[$entry]}" ]; then printf '%s\\0' "\${entry#* * * * }"; fi
  done < <(list_files) | xargs -0 -r rm -f --
}
`;

/**
 * Leaves out input that the job did not change. Packs links as links, because their targets may
 * belong to anybody. Keeps Python from loading modules from the files of the job.
 *
 * First asks the service where to send the results, because its gateway accepts no large body. The
 * call carries the number of bytes, the seconds before and after the command, and the number of the
 * run. If the results of this run are there already, the answer to an earlier try was lost. A refusal
 * by the storage is not shown, because it quotes the address.
 */
export function sendResults(keepsDirectory: boolean): string {
  return `
pack_results() {
  if command -v zip >/dev/null; then
    zip -q -r -y ../results.zip .
  else
    python3 -I -m zipfile -c ../results.zip .
  fi
}
send_results() {
  local answer bytes
  bytes=$(wc -c <../results.zip)
  answer=$(printf 'url = "%s&bytes=%d&before=%d&after=%d&run_number=%d%s"\\n' "$results_address" "$bytes" \\
    "$began" "$((SECONDS - ended))" "$run" "$cut" |
    call --request PUT --data '' --output ../answer)
  if [ "\${answer%% *}" != 307 ]; then
    explain_failure "The $((bytes)) bytes of the results could not be announced" "\${answer%% *}"
    if [ -s ../answer ]; then say "$(head -c 2000 ../answer)"; fi
    if [ "\${answer%% *}" = 413 ]; then fault=${scriptExits.resultsTooLarge}; fi
    return 1
  fi
  answer=$(printf 'url = "%s"\\n' "\${answer#* }" |
    call --header 'If-None-Match: *' --upload-file ../results.zip --output ../answer)
  case \${answer%% *} in
    200) return 0 ;;
    412) say 'The results of this run are there already.' ;;
    *) explain_failure 'The results could not be sent' "\${answer%% *}" ;;
  esac
}
fault=${scriptExits.resultsNotSent} cut=
if [ "$code" -ne 0 ] || [ -n "$ending" ]; then cut='&cut=true'; fi
cd -- "$directory/job"
if [ "$ending" = stopped ]; then
  # Slurm ends this script in seconds: what matters most first, and nothing twice.
  once=yes
  if declare -F send_output >/dev/null; then send_output '&last=true'; fi
fi
if declare -F remove_input >/dev/null; then remove_input; fi
if pack_results && keep_trying send_results; then
  ${keepsDirectory ? ':' : 'cd / && rm -rf -- "$directory" "$log"'}
else
  say "The results are still in $directory."
  if [ "$code" -eq 0 ]; then code=$fault; fi
fi
`;
}

/** Leaves the results where they are, without input that the job did not change. */
export const leaveResults = `
cd -- "$directory/job"
if declare -F remove_input >/dev/null; then remove_input; fi
`;

/**
 * Sends the ends of the two streams every few seconds while somebody follows the job, which the
 * service says in its answer. Otherwise the job asks less and less often, down to once a minute. A
 * thousand such jobs make seventeen calls a second and no write.
 */
export const followOutput = `
tell_service() {
  local answer
  answer=$(printf 'url = "%s&run_number=%d%s"\\n' "$output_address" "$run" "$1" | call --max-time 30 --request PUT \\
    --header 'Content-Type: application/octet-stream' --header 'Expect:' --output ../followed "\${@:2}")
  [ "\${answer%% *}" = 200 ] && [[ $(<../followed) == *'"followed":true'* ]]
}
send_output() {
  local name size from query=
  : >../output
  for name in stdout stderr; do
    size=$(($(wc -c <"$name")))
    from=$((size > ${outputTailBytes} ? size - ${outputTailBytes} : 0))
    tail -c "+$((from + 1))" "$name" | head -c "$((size - from))" >>../output
    query="$query&$name=$from,$((size - from))"
  done
  tell_service "$query$1" --data-binary @../output
}
follow_output() {
  local pause=5 followed= sizes sent=
  while sleep "$pause"; do
    sizes=$(wc -c stdout stderr)
    if [ -n "$followed" ] && [ "$sizes" != "$sent" ]; then
      send_output '' || followed=
      sent=$sizes
    elif tell_service '' --data ''; then
      if [ -z "$followed" ]; then send_output ''; sent=$sizes; fi
      followed=yes
    else
      followed=
    fi
    if [ -n "$followed" ]; then pause=5; else pause=$((pause < 30 ? pause * 2 : 60)); fi
  done
}
`;
