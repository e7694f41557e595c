import { quoteForCurl } from './call-curl.ts';
import { scriptExits } from './script-exits.ts';

/**
 * Leaves out input that the job did not change (fetch-input.ts). Packs links as links, because their
 * targets may be anybody's. Python is told to look for no modules among the files of the job.
 *
 * The service is asked first, with the number of bytes and the seconds before and after the command,
 * and says where they go: its gateway takes no large body. Where results are already, an earlier run
 * of the same job sent them, or this one did and the answer was lost. What the storage refuses is not
 * shown: it quotes its address.
 */
export function sendResults(address: string, keepsDirectory: boolean): string {
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
  answer=$(printf 'url = "%s&bytes=%d&before=%d&after=%d"\\n' ${quoteForCurl(address)} "$bytes" \\
    "$began" "$((SECONDS - ended))" |
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
    412) say 'Results of this job are there already, and stay as they are.' ;;
    *) explain_failure 'The results could not be sent' "\${answer%% *}" ;;
  esac
}
fault=${scriptExits.resultsNotSent}
cd -- "$directory/job"
if [ "$ending" = stopped ]; then
  # Slurm ends this script in seconds: what matters most first, and nothing twice.
  once=yes
  if declare -F send_output >/dev/null; then send_output '&last=true'; fi
fi
if declare -F remove_input >/dev/null; then remove_input; fi
if pack_results && keep_trying send_results; then
  ${keepsDirectory ? ':' : 'cd / && rm -rf -- "$directory" "$directory.log"'}
else
  say "The results are still in $directory."
  if [ "$code" -eq 0 ]; then code=$fault; fi
fi
`;
}
