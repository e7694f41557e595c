import { quoteForShell } from '#lib/hpc/quote-for-shell.ts';
import { callCurl } from './call-curl.ts';
import { fetchInput } from './fetch-input.ts';
import { followOutput } from './follow-output.ts';
import { type CommandLimit, runCommand } from './run-command.ts';
import { scriptExits } from './script-exits.ts';
import { sendResults } from './send-results.ts';

export interface ScriptOrder extends CommandLimit {
  readonly command: string;
  /** The job's own directory; made by the script, for slurmrestd cannot. */
  readonly directory: string;
  readonly inputAddress?: string;
  readonly resultsAddress?: string;
  readonly outputAddress?: string;
  /** Whether the directory stays after its results were sent. */
  readonly keepsDirectory?: boolean;
}

/** The job itself moves its files, because slurmrestd moves none. */
export function buildScript(order: ScriptOrder): string {
  const { inputAddress, resultsAddress, outputAddress, keepsDirectory = false } = order;
  return [
    begin(order),
    callCurl,
    inputAddress === undefined ? '' : fetchInput(inputAddress),
    outputAddress === undefined ? '' : followOutput(outputAddress),
    runCommand(order.command, order),
    resultsAddress === undefined ? '' : sendResults(resultsAddress, keepsDirectory),
    `if [ "$ending" = time ]; then code=${scriptExits.timeLimit}; fi\n`,
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
warned=
trap 'warned=yes' USR1
directory=${quoteForShell(directory)}
rm -rf -- "$directory"
mkdir -- "$directory" && mkdir -- "$directory/job" && cd -- "$directory/job" || exit ${scriptExits.noDirectory}
`;
}
