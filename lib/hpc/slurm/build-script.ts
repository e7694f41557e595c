import { quoteForShell } from '../quote-for-shell.ts';
import { type CommandLimit, scriptExits } from '../script-terms.ts';
import {
  callCurl,
  fetchInput,
  followOutput,
  quoteForCurl,
  sendResults,
} from './script-transfers.ts';

/** A job, or a task of an array, as its script needs it. */
export interface ScriptJob {
  readonly command: string;
  /** The job's own directory. The script makes it, because slurmrestd cannot. */
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly inputAddress?: string | undefined;
  readonly resultsAddress?: string | undefined;
  readonly outputAddress?: string | undefined;
}

export interface ScriptTerms extends CommandLimit {
  /** True to keep the directory after the results were sent. */
  readonly keepsDirectory?: boolean | undefined;
}

/** Writes the batch script. It moves the job's files itself, because slurmrestd cannot. */
export function buildScript(job: ScriptJob, terms: ScriptTerms): string {
  return joinScript(describeJob(job), [job], terms);
}

/**
 * Writes the one script of an array, in which each task finds its own job by its number. The log of
 * a task is that of its job.
 */
export function buildArrayScript(
  tasks: readonly { readonly task: number; readonly job: ScriptJob }[],
  terms: ScriptTerms,
): string {
  const cases = tasks.map(({ task, job }) => `${task})\n${describeJob(job)};;\n`);
  const choice = `case $SLURM_ARRAY_TASK_ID in\n${cases.join('')}esac\nexec >"$directory.log" 2>&1\n`;
  return joinScript(
    choice,
    tasks.map(({ job }) => job),
    terms,
  );
}

function joinScript(choice: string, jobs: readonly ScriptJob[], terms: ScriptTerms): string {
  const { keepsDirectory = false } = terms;
  const some = (address: keyof ScriptJob) => jobs.some((job) => job[address] !== undefined);
  return [
    begin,
    choice,
    makeDirectory,
    callCurl,
    some('inputAddress') ? fetchInput : '',
    some('outputAddress') ? followOutput : '',
    runCommand(terms),
    some('resultsAddress') ? sendResults(keepsDirectory) : '',
    `if [ "$ending" = time ]; then code=${scriptExits.timeLimit}; fi\n`,
    'exit "$code"\n',
  ].join('');
}

/** Sets what differs between the tasks of an array. */
function describeJob(job: ScriptJob): string {
  const { command, directory, environment = {}, ...addresses } = job;
  const { inputAddress, resultsAddress, outputAddress } = addresses;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return [
    `directory=${quoteForShell(directory)}`,
    `command_text=${quoteForShell(command.replaceAll('\r\n', '\n'))}`,
    ...(variables.length > 0 ? [`variables=(${variables.map(quoteForShell).join(' ')})`] : []),
    ...(inputAddress === undefined ? [] : [`input_address=${quoteForCurl(inputAddress)}`]),
    ...(outputAddress === undefined ? [] : [`output_address=${quoteForCurl(outputAddress)}`]),
    ...(resultsAddress === undefined ? [] : [`results_address=${quoteForCurl(resultsAddress)}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const begin = `#!/bin/bash
umask 077
warned=
trap 'warned=yes' USR1
variables=()
`;

/**
 * Removes what an earlier run left behind before Slurm queued the job again. The directory must be
 * new: if somebody else had made it under this name, they could read it.
 */
const makeDirectory = `rm -rf -- "$directory"
mkdir -- "$directory" && mkdir -- "$directory/job" && cd -- "$directory/job" || exit ${scriptExits.noDirectory}
`;

/** Set if Slurm itself warns the script before its time limit. */
export const warnsVariable = 'SLIPWAY_WARNS';

/**
 * Runs the command in its own shell, so that an `exit` does not end the script, with variables that
 * do not reach the script, and in its own process group, which can be ended as one. Its start and end stay in variables of the script, which
 * no other process can set.
 *
 * The script waits in a way that lets it react to signals at once. USR1 is Slurm's warning before the
 * time limit. It may come a minute early, so the command goes on until the reserve begins. If an
 * administrator extended the job, the warning comes later. If Slurm cannot warn, the script uses its
 * own clock. TERM means the end (a cancel, the limit, a preemption) and leaves seconds (KillWait).
 *
 * Slurm sends TERM to the command too. If the command ends just as TERM interrupts `wait`, bash may
 * lose its exit code and take it for running: another `wait` would last until every helper ended. So
 * the script does not wait again for a process that is gone but listed as running.
 */
function runCommand({ limitSeconds, reserveSeconds }: CommandLimit) {
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
{
  for variable in "\${variables[@]}"; do export "$variable"; done
  exec bash -c -- "$command_text"
} >stdout 2>stderr </dev/null &
command=$!
set +m
if [ -n "$warned" ] || [ -z "$${warnsVariable}" ]; then help call_time; fi
if declare -F follow_output >/dev/null; then help follow_output; fi
while :; do
  interrupted=
  wait "$command"
  code=$?
  if [ -z "$interrupted" ]; then break; fi
  if ! kill -0 "$command" 2>/dev/null && jobs -rp | grep -qx "$command"; then break; fi
done
ended=$SECONDS
trap : USR1 USR2 TERM
for helper in "\${helpers[@]}"; do kill -- "-$helper" 2>/dev/null; done
`;
}
