import { outputTailBytes } from '#lib/hpc/connector.ts';
import { quoteForCurl } from './call-curl.ts';

/**
 * While somebody follows the job, the ends of its two streams are sent every few seconds. Whether
 * somebody does, the service says in its answer. A job that nobody follows asks ever more rarely, up
 * to once a minute: a thousand of them are seventeen calls a second, and no write.
 */
export function followOutput(address: string): string {
  return `
tell_service() {
  local answer
  answer=$(printf 'url = "%s%s"\\n' ${quoteForCurl(address)} "$1" | call --max-time 30 --request PUT \\
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
}
