import { quoteForShell } from '#lib/hpc/quote-for-shell.ts';
import { callCurl } from './call-curl.ts';
import { fetchInput } from './fetch-input.ts';
import { scriptExits } from './script-exits.ts';
import { sendResults } from './send-results.ts';

export interface ScriptOrder {
  readonly command: string;
  /** The job's own directory; made by the script, for slurmrestd cannot. */
  readonly directory: string;
  readonly inputAddress?: string;
  readonly resultsAddress?: string;
}

/** The job itself moves its files, because slurmrestd moves none. */
export function buildScript(order: ScriptOrder): string {
  const { inputAddress, resultsAddress } = order;
  return [
    begin(order),
    callCurl,
    inputAddress === undefined ? '' : fetchInput(inputAddress),
    runCommand(order.command),
    resultsAddress === undefined ? '' : sendResults(resultsAddress),
    'exit "$code"\n',
  ].join('');
}

/**
 * What an earlier run of the same job left behind, before Slurm queued it again, must not count. The
 * directory must be new: one that somebody else made under its name would be theirs to read.
 */
function begin({ directory }: ScriptOrder): string {
  return `#!/bin/bash
umask 077
directory=${quoteForShell(directory)}
rm -rf -- "$directory"
mkdir -- "$directory" && mkdir -- "$directory/job" && cd -- "$directory/job" || exit ${scriptExits.noDirectory}
`;
}

/**
 * In a shell of its own, so that an exit in the command is not the end of the script. When it began
 * and ended stays in variables of the script, which no other process can set.
 */
function runCommand(command: string): string {
  return `
began=$SECONDS
bash -c -- ${quoteForShell(command.replaceAll('\r\n', '\n'))} >stdout 2>stderr </dev/null
code=$?
ended=$SECONDS
`;
}
