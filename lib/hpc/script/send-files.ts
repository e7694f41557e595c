import { keptFiles, mostSentFiles, type Sending, sentList } from '#lib/catalog/output-addresses.ts';
import { leastBytesPerSecond } from './fetch-files.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { scriptExits } from './script-terms.ts';

/** Lists what a job sends: the files as they were asked for, their pattern, place and address. */
export function listSends({ outputs }: Sending): string {
  const words = outputs.flatMap(({ files, pattern, to, address, asks }) => [
    files,
    pattern,
    to,
    address.replaceAll(/["\\]/g, '\\$&'),
    asks ? 'yes' : '',
  ]);
  return `sends=(${words.map(quoteForShell).join(' ')})\n`;
}

/**
 * Defines how the script sends files after a command that ended well. A file that was sent is none of
 * the results any more, so it must have arrived wherever it was to go. Links are not followed.
 *
 * Once a file has been tried for as long as a job is patient, the others are tried once. What fails is
 * said on standard error by the name of the file and of the host, because an address may hold a
 * signature.
 */
export function sendFiles({ maxBytes, paidBy }: Sending, untilSeconds: number): string {
  return `
send_part() {
  local file=$1 address=$2 asks=$3 bytes answer status
  local headers=()
  bytes=$(($(wc -c <"./$file")))
  sent_host=\${address#*://} sent_host=\${sent_host%%[/?#]*}
  if [ "$bytes" -gt ${maxBytes} ]; then
    why='it is larger than ${maxBytes} bytes' hopeless=yes
    return 1
  fi
  if [ $((${untilSeconds} - SECONDS)) -lt 1 ]; then
    why='there was no time left' hopeless=yes
    return 1
  fi
  if [ -n "$asks" ]; then
    answer=$(
      exec 2>/dev/null
      printf 'url = "%s"\\n' "$address" | call --request PUT --get --data-urlencode "file=$file" \\
        --data "length=$bytes&sha256=$hash" --max-time 60 --output ../answer
    )
    if [ "\${answer%% *}" != 307 ]; then judge_answer 0 "\${answer%% *}" "$file"; return 1; fi
    address=\${answer#* }
    sent_host=\${address#*://} sent_host=\${sent_host%%[/?#]*}
    address=\${address//\\\\/\\\\\\\\} address=\${address//\\"/\\\\\\"}
    headers=(--header "x-amz-checksum-sha256: $(printf "$(printf %s "$hash" | sed 's/../\\\\x&/g')" | base64)")
  fi
  answer=$(
    exec 2>/dev/null
    printf 'url = "%s"\\n' "$address" | call --speed-limit ${leastBytesPerSecond} --speed-time 60 \\
      --max-time $((${untilSeconds} - SECONDS)) "\${headers[@]}" --upload-file "./$file" --output ../answer
  )
  status=$?
  answer=\${answer%% *}
  if [ "$status" -eq 0 ] && [ "\${answer:0:1}" = 2 ]; then return 0; fi
  judge_answer "$status" "$answer" "$file"
  return 1
}
judge_answer() {
  why="HTTP $2"
  case $2 in
    '' | 000 | 1* | 2*)
      why='no answer'
      if [ "$1" -eq 28 ]; then
        why='it was too slow'
        if [ $((${untilSeconds} - SECONDS)) -lt 1 ]; then hopeless=yes; fi
      fi
      ;;
    408 | 425 | 429 | 5*) ;;
    *) hopeless=yes ;;
  esac
  say "$3: $sent_host: $why."
}
send_file() {
  local file=$1 to=$2 hash
  case $file in *[[:cntrl:]\\\\]*)
    why='its name has control characters or backslashes'
    return 1
    ;;
  esac
  hash=$(sha256sum <"./$file") && hash=\${hash%% *} || { why='it cannot be read' && return 1; }
  if ! keep_trying send_part "$file" "$3" "$4"; then
    if [ -z "$hopeless" ]; then once=yes; fi
    return 1
  fi
  case $to in */) to=$to$file ;; esac
  printf '{"file":"%s","to":"%s","length":%d,"sha256":"%s"}\\n' \\
    "\${file//\\"/\\\\\\"}" "\${to//\\"/\\\\\\"}" "$(($(wc -c <"./$file")))" "$hash" >>../sent
}
tell_unsent() {
  printf 'slipway: The output %s could not be sent%s: %s.\\n' "$1" "\${sent_host:+ to $sent_host}" "$why" >>stderr
  failed=yes
}
send_files() {
  local at file found why sent_host failed= hopeless once= count=0
  local -A kept sent
  if declare -F remove_input >/dev/null; then remove_input; fi
  : >../sent
  for ((at = 0; at < \${#sends[@]}; at += 5)); do
    found= sent_host=
    while IFS= read -r -d '' file; do
      case $file in ${keptFiles.join(' | ')}) continue ;; esac
      if ! [[ $file =~ \${sends[at + 1]} ]]; then continue; fi
      found=yes sent_host= count=$((count + 1))
      if [ "$count" -gt ${mostSentFiles} ]; then
        why='a job sends at most ${mostSentFiles} files'
        tell_unsent "\${sends[at]}"
        break
      fi
      if send_file "$file" "\${sends[@]:at+2:3}"; then
        sent[./$file]=yes
      else
        kept[./$file]=yes
        tell_unsent "$file"
      fi
    done < <(find . -type f -printf '%P\\0' | LC_ALL=C sort -z)
    if [ -z "$found" ]; then
      why='there is no such file'
      tell_unsent "\${sends[at]}"
    fi
  done
  for file in "\${!sent[@]}"; do
    if [ -z "\${kept[$file]}" ]; then rm -f -- "$file"; fi
  done
  if [ -s ../sent ]; then mv -f -- ../sent ./${sentList}; fi
  if [ -n "$failed" ]; then code=${scriptExits.outputNotSent}; fi
}
if [ "\${#sends[@]}" -gt 0 ] && [ "$code" -eq 0 ] && [ -z "$ending" ]; then
  cd -- "$directory/job"
  send_files
${paidBy === 'user' ? '  ended=$SECONDS\n' : ''}fi
`;
}
