import { quoteForShell } from '../quote-for-shell.ts';
import {
  callCurl,
  fetchInput,
  followOutput,
  scriptExits,
  sendResults,
} from './script-transfers.ts';

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

/** How long the job may run, and how much of that it has for sending what its command wrote. */
interface CommandLimit {
  readonly limitSeconds: number;
  readonly reserveSeconds: number;
}

/** A tenth of the time, up to a minute: what Slurm ends at the limit can send nothing any more. */
export function limitOf(minutes: number): CommandLimit {
  const limitSeconds = minutes * 60;
  const reserveSeconds = Math.min(60, Math.floor(limitSeconds / 10));
  return { limitSeconds, reserveSeconds };
}

/** Set where Slurm itself warns the script before its time limit. */
export const warnsVariable = 'SLIPWAY_WARNS';

/**
 * The command runs in a shell of its own, so that an exit in it is not the end of the script, and in
 * a process group of its own, which can be ended as one. When it began and ended stays in variables
 * of the script, which no other process can set.
 *
 * The script waits for it so that signals are heard at once. USR1 is Slurm's warning before the
 * time limit. It may come a minute early, so the script lets the command go on until its reserve
 * begins; if an administrator has prolonged the job, the warning comes later, and counts. Where
 * Slurm cannot warn, the script goes by its own clock. TERM is the end itself (a cancel, the limit, a
 * preemption), and leaves seconds (KillWait).
 */
function runCommand(command: string, { limitSeconds, reserveSeconds }: CommandLimit) {
  return `
interrupted= ending= helpers=()
help() {
  set -m
  "$@" </dev/null >/dev/null 2>&1 &
  helpers+=("$!")
  set +m
}
call_time() {
  local rest=$((${limitSeconds - reserveSeconds} - SECONDS))
  if [ "$rest" -gt 0 ]; then sleep "$rest"; fi
  kill -USR2 "$$"
}
kill_command() {
  sleep "$1"
  kill -KILL -- "-$command"
}
end_command() {
  interrupted=yes
  if [ -n "$ending" ]; then return; fi
  ending=$1
  kill -TERM -- "-$command" 2>/dev/null
  help kill_command "$2"
}
trap 'interrupted=yes; help call_time' USR1
trap 'end_command time ${Math.max(1, Math.min(10, Math.floor(reserveSeconds / 2)))}' USR2
trap 'end_command stopped 2' TERM
began=$SECONDS
set -m
bash -c -- ${quoteForShell(command.replaceAll('\r\n', '\n'))} >stdout 2>stderr </dev/null &
command=$!
set +m
if [ -n "$warned" ] || [ -z "$${warnsVariable}" ]; then help call_time; fi
if declare -F follow_output >/dev/null; then help follow_output; fi
while :; do
  interrupted=
  wait "$command"
  code=$?
  if [ -z "$interrupted" ]; then break; fi
done
ended=$SECONDS
trap : USR1 USR2 TERM
for helper in "\${helpers[@]}"; do kill -- "-$helper" 2>/dev/null; done
`;
}
