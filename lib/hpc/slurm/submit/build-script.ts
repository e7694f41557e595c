import { quoteForShell } from '#lib/hpc/quote-for-shell.ts';

export interface ScriptOrder {
  readonly command: string;
  /** The job's own directory; made by the script, for slurmrestd cannot. */
  readonly directory: string;
  readonly inputAddress?: string;
  readonly resultsAddress?: string;
}

/** What the script ends with where the fault is not the command's; high, as commands rarely are. */
export const scriptExits = {
  noDirectory: 240,
  inputNotFetched: 241,
  inputNotUnpacked: 242,
  resultsNotSent: 243,
} as const;

/**
 * The job itself moves its files, because slurmrestd moves none. Addresses go to curl by its
 * standard input: arguments can be read by everybody on the node.
 */
export function buildScript(order: ScriptOrder): string {
  const { inputAddress, resultsAddress } = order;
  return [
    begin(order),
    inputAddress === undefined ? '' : fetchInput(inputAddress),
    runCommand(order.command),
    resultsAddress === undefined ? '' : sendResults(resultsAddress),
    'exit "$code"\n',
  ].join('');
}

/** What an earlier run of the same job left behind, before Slurm queued it again, must not count. */
function begin({ directory }: ScriptOrder): string {
  return `#!/bin/bash
umask 077
directory=${quoteForShell(directory)}
call_storage() {
  curl -q --config - --globoff --proto =http,https --fail --silent --show-error --retry 3 "$@"
}
rm -rf -- "$directory"
mkdir -p -- "$directory/job" && cd -- "$directory/job" || exit ${scriptExits.noDirectory}
`;
}

/**
 * Python first: there are builds of unzip that garble names in UTF-8 where the zip was made by a
 * browser or on Windows. unzip ends with 1 where it only warns, as it does of an empty archive.
 */
function fetchInput(address: string): string {
  return `
printf '%s\\n' ${quoteForCurl(address)} | call_storage --output ../input.zip ||
  exit ${scriptExits.inputNotFetched}
if ! { command -v python3 >/dev/null && python3 -I -c ${quoteForShell(unpackInput)}; }; then
  unzip -q -o ../input.zip || [ $? -eq 1 ] || exit ${scriptExits.inputNotUnpacked}
fi
`;
}

/** Python unpacks a program as a file that cannot be run. */
const unpackInput = `
import os, zipfile
with zipfile.ZipFile("../input.zip") as archive:
    for entry in archive.infolist():
        path = archive.extract(entry)
        if entry.external_attr >> 16 & 0o100 and os.path.isfile(path):
            os.chmod(path, 0o700)
`;

/** In a shell of its own, so that an exit in the command is not the end of the script. */
function runCommand(command: string): string {
  return `
bash -c -- ${quoteForShell(command.replaceAll('\r\n', '\n'))} >stdout 2>stderr </dev/null
code=$?
`;
}

/**
 * Links are packed as links: what they point at may be anybody's. Python is told to look for no
 * modules among the files of the job.
 */
function sendResults(address: string): string {
  return `
pack_results() {
  if command -v zip >/dev/null; then
    zip -q -r -y ../results.zip .
  else
    python3 -I -m zipfile -c ../results.zip .
  fi
}
if cd -- "$directory/job" && pack_results &&
  printf '%s\\n' ${quoteForCurl(address)} | call_storage --upload-file ../results.zip; then
  cd / && rm -rf -- "$directory"
elif [ "$code" -eq 0 ]; then
  code=${scriptExits.resultsNotSent}
fi
`;
}

/** A line of curl's own configuration, in which a backslash and a quotation mark are special. */
function quoteForCurl(address: string): string {
  const escaped = new URL(address).href.replaceAll(/["\\]/g, '\\$&');
  return quoteForShell(`url = "${escaped}"`);
}
