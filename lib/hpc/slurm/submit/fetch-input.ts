import { quoteForShell } from '#lib/hpc/quote-for-shell.ts';
import { quoteForCurl } from './call-curl.ts';
import { scriptExits } from './script-exits.ts';

/**
 * Python first: there are builds of unzip that garble names in UTF-8 where the zip was made by a
 * browser or on Windows. unzip ends with 1 where it only warns, as it does of an empty archive.
 */
export function fetchInput(address: string): string {
  return `
fetch_input() {
  local answer
  answer=$(printf 'url = "%s"\\n' ${quoteForCurl(address)} | call --location --output ../input.zip) &&
    [ "\${answer%% *}" = 200 ] && return 0
  explain_failure 'The input could not be fetched' "\${answer%% *}"
}
keep_trying fetch_input || exit ${scriptExits.inputNotFetched}
if ! { command -v python3 >/dev/null && python3 -I -c ${quoteForShell(unpackInput)}; }; then
  unzip -q -o ../input.zip || [ $? -eq 1 ] || exit ${scriptExits.inputNotUnpacked}
fi
rm -f ../input.zip
list_files() {
  find . -type f -printf '%s %T@ %C@ %i %p\\0'
}
find . -type f -exec touch -d @${inputTime} {} +
list_files >../input.list
remove_input() {
  local -A known
  local entry
  while IFS= read -r -d '' entry; do known[$entry]=yes; done <../input.list
  while IFS= read -r -d '' entry; do
    if [ -n "\${known[$entry]}" ]; then printf '%s\\0' "\${entry#* * * * }"; fi
  done < <(list_files) | xargs -0 -r rm -f --
}
`;
}

/**
 * Input files get a moment that no file written by a command has, so that a change shows even where
 * the file system counts in whole seconds. A file that is the same in size, moments and inode when
 * the command has ended is as it was. Without GNU find the list stays empty, and all is sent.
 */
const inputTime = 1_000_000_007;

/** Python unpacks a program as a file that cannot be run. */
const unpackInput = `
import os, zipfile
with zipfile.ZipFile("../input.zip") as archive:
    for entry in archive.infolist():
        path = archive.extract(entry)
        if entry.external_attr >> 16 & 0o100 and os.path.isfile(path):
            os.chmod(path, 0o700)
`;
