import type { Fetching } from '#lib/catalog/input-addresses.ts';
import type { Sending } from '#lib/catalog/output-addresses.ts';
import type { ImageTerms } from './choose-image.ts';
import { fetchFiles, fetchWithinCommand, listFetches, runWhenFetched } from './fetch-files.ts';
import {
  findProjectFolder,
  leaveProjectFolder,
  runWhenRoom,
  type ScriptFolder,
} from './keep-folder.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { runOnNode } from './run-on-node.ts';
import { type CommandLimit, mostRuns, scriptExits } from './script-terms.ts';
import {
  callCurl,
  fetchInput,
  followOutput,
  leaveResults,
  quoteForCurl,
  removeInput,
  sendResults,
  unpackInput,
} from './script-transfers.ts';
import { listSends, sendFiles } from './send-files.ts';

/** A job, or a task of an array, as its script needs it. */
export interface ScriptJob {
  readonly command: string;
  /** The job's own directory. Without it, the system has made the one that the script begins in. */
  readonly directory?: string | undefined;
  /** True if the results stay there, with a note about each run, and are fetched from outside. */
  readonly keepsResults?: boolean | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** True if the input was put into the directory as `input.zip`. */
  readonly hasInput?: boolean | undefined;
  readonly inputAddress?: string | undefined;
  readonly fetching?: Fetching | undefined;
  readonly sending?: Sending | undefined;
  readonly resultsAddress?: string | undefined;
  readonly outputAddress?: string | undefined;
}

/** What the command finds when it begins. */
export interface ScriptEnvironment {
  /** A login shell reads the profile of the account first. */
  readonly shell?: 'login' | 'plain' | undefined;
  /** Lines that run before the command, in the same shell. */
  readonly setup?: readonly string[] | undefined;
  /** The image that the command runs in. The lines run outside of it. */
  readonly image?: ImageTerms | undefined;
}

export interface ScriptTerms extends CommandLimit, ScriptEnvironment {
  /** The folder of the project, if it has one. */
  readonly folder?: ScriptFolder | undefined;
  /** True to keep the directory after the results were sent. */
  readonly keepsDirectory?: boolean | undefined;
}

/** Writes the script of a job, for systems that run a shell script around its command. */
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
  const { keepsDirectory = false, folder } = terms;
  const some = (address: keyof ScriptJob) => jobs.some((job) => job[address] !== undefined);
  const staysThere = jobs.some(({ keepsResults }) => keepsResults);
  const [fetching] = jobs.flatMap(({ fetching: each }) => each ?? []);
  const [sending] = jobs.flatMap(({ sending: each }) => each ?? []);
  const hasZip = some('inputAddress') || jobs.some(({ hasInput }) => hasInput);
  const isMade = jobs.some(({ directory }) => directory === undefined);
  return [
    begin,
    choice,
    staysThere ? `${isMade ? '' : findDirectory}${enterDirectory}` : makeDirectory,
    callCurl,
    findProjectFolder(folder),
    hasZip || fetching ? removeInput : '',
    some('inputAddress') ? fetchInput : '',
    hasZip ? unpackInput : '',
    fetching ? fetchFiles(fetching, terms.limitSeconds - terms.reserveSeconds) : '',
    some('outputAddress') ? followOutput : '',
    runWhenRoom(runWhenFetched(runCommand(terms, fetching?.paidBy === 'user'), fetching), folder),
    leaveProjectFolder(folder),
    // Half of the reserve stays for the results.
    sending ? sendFiles(sending, terms.limitSeconds - Math.ceil(terms.reserveSeconds / 2)) : '',
    staysThere ? noteEnd : '',
    some('resultsAddress') ? sendResults(keepsDirectory || staysThere) : '',
    staysThere ? leaveResults : '',
    `if [ "$ending" = time ]; then code=${scriptExits.timeLimit}; fi\n`,
    'exit "$code"\n',
  ].join('');
}

/** Sets what differs between the tasks of an array. */
function describeJob(job: ScriptJob): string {
  const { command, directory, environment = {}, fetching, sending, ...addresses } = job;
  const { inputAddress, resultsAddress, outputAddress } = addresses;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return [
    `directory=${directory === undefined ? '$PWD' : quoteForShell(directory)}`,
    `command_text=${quoteForShell(command.replaceAll('\r\n', '\n'))}`,
    ...(variables.length > 0 ? [`variables=(${variables.map(quoteForShell).join(' ')})`] : []),
    ...(inputAddress === undefined ? [] : [`input_address=${quoteForCurl(inputAddress)}`]),
    ...(outputAddress === undefined ? [] : [`output_address=${quoteForCurl(outputAddress)}`]),
    ...(resultsAddress === undefined ? [] : [`results_address=${quoteForCurl(resultsAddress)}`]),
  ]
    .map((line) => `${line}\n`)
    .concat(fetching ? listFetches(fetching) : '', sending ? listSends(sending) : '')
    .join('');
}

/**
 * Systems without a login start jobs without HOME and its like. bash finds the home of an account by
 * itself, and its shell too. That of a service account may be one that runs nothing.
 *
 * Slurm counts how often it has started a job again, and UNICORE sites mostly have Slurm behind them.
 */
const begin = `#!/bin/bash
umask 077
warned=
trap 'warned=yes' USR1
variables=() fetches=() sends=()
run=$((\${SLURM_RESTART_COUNT:-0} + 1))
if [ "$run" -gt ${mostRuns} ]; then run=${mostRuns}; fi
: "\${HOME:=$(unset HOME && printf %s ~)}" "\${USER:=$(id -un)}" "\${LOGNAME:=$USER}"
case $SHELL in '' | */nologin | */false) SHELL=/bin/bash ;; esac
export HOME USER LOGNAME SHELL
`;

/** The name of the file in which each run notes its times, in a directory that the system made. */
export const notesFile = 'slipway.runs';

/** The name of the folder in which the command runs, and in which its results are. */
export const jobFolder = 'job';

/**
 * Removes what an earlier run left behind before Slurm queued the job again. A later run has another
 * directory, because an earlier one may still end, and remove its own, on this node or on one that
 * Slurm cannot reach. The directory must be new: if somebody else had made it under this name, they
 * could read it.
 */
const makeDirectory = `log="$directory.log"
rm -rf -- "$directory" "$directory".run-*
if [ "$run" -gt 1 ]; then directory="$directory.run-$run"; fi
mkdir -- "$directory" && mkdir -- "$directory/${jobFolder}" && cd -- "$directory/${jobFolder}" || exit ${scriptExits.noDirectory}
`;

/** It is there already if the input is. It must be the account's own, or others could read it. */
const findDirectory = `if ! mkdir -- "$directory" 2>/dev/null && ! [ -O "$directory" ]; then exit ${scriptExits.noDirectory}; fi
cd -- "$directory" || exit ${scriptExits.noDirectory}
`;

/** Begins anew if an earlier run left something behind. Its note stays. */
const enterDirectory = `rm -rf -- ${jobFolder}
mkdir -- ${jobFolder} && cd -- ${jobFolder} || exit ${scriptExits.noDirectory}
note() {
  printf '%s\\n' "$*" >>"$directory/${notesFile}"
}
note began "$run" "$(date +%s)"
`;

/** The note is a file of the job's owner, who may change it. So a system's own figures are asked for, too. */
const noteEnd = `
note ended "$run" "$(date +%s)" "$((ended - began - $(cat ../paused 2>/dev/null || echo 0)))" "$code" "\${ending:-itself}"
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
 * own clock. The clock stands still while the system has suspended the job: a pause that took much
 * longer than it should is one in which nothing ran. It waits without a process. TERM means the end (a cancel, the limit, a
 * preemption) and leaves seconds (KillWait).
 *
 * Slurm sends TERM to the command too. If the command ends just as TERM interrupts `wait`, bash may
 * lose its exit code and take it for running: another `wait` would last until every helper ended. So
 * the script does not wait again for a process that is gone but listed as running.
 */
const tickSeconds = 5;

function runCommand(
  { limitSeconds, reserveSeconds, shell, setup = [], image, folder }: ScriptTerms,
  fetches: boolean,
) {
  const lines = setup.map((line) => `${line}\n`).join('');
  const inImage = image && runOnNode(image, scriptExits.imageNotFetched);
  const start = inImage
    ? `${quoteForShell(lines + inImage.text)} bash "$command_text" "\${variables[@]%%=*}"`
    : `${quoteForShell(lines)}"$command_text"`;
  return `
interrupted= ending= keeper= helpers=()
help() {
  set -m
  "$@" </dev/null >/dev/null 2>&1 &
  helpers+=("$!")
  set +m
}
keep_time() {
  local warned=$1 spent=$SECONDS paused=0 before pause gone
  trap 'warned=yes' USR1
  exec {quiet}<> <(:)
  while [ -z "$warned" ] || [ "$spent" -lt ${limitSeconds - reserveSeconds} ]; do
    pause=$((${limitSeconds - reserveSeconds} - spent))
    if [ "$pause" -lt 1 ]; then pause=1; elif [ "$pause" -gt ${tickSeconds} ]; then pause=${tickSeconds}; fi
    before=$SECONDS
    read -r -t "$pause" -u "$quiet"
    gone=$((SECONDS - before))
    if [ "$gone" -gt $((pause + ${tickSeconds})) ]; then
      paused=$((paused + gone - pause))
      printf '%d\\n' "$paused" >../paused
      gone=$pause
    fi
    spent=$((spent + gone))
  done
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
trap 'interrupted=yes; kill -USR1 "$keeper"' USR1
trap 'end_command time ${Math.max(1, Math.min(10, Math.floor(reserveSeconds / 2)))}' USR2
trap 'end_command stopped 2' TERM
began=$SECONDS
set -m
{
${folder?.isShared ? '  umask 007\n' : ''}  for variable in "\${variables[@]}"; do export "$variable"; done
${fetches ? fetchWithinCommand : ''}${inImage ? inImage.begin : ''}  exec bash ${shell === 'login' ? '-l ' : ''}-c -- ${start}
} >stdout 2>stderr </dev/null &
command=$!
set +m
if [ -z "$${warnsVariable}" ]; then warned=yes; fi
help keep_time "$warned"
keeper=$!
if declare -F follow_output >/dev/null; then help follow_output; fi
if declare -F watch_folder >/dev/null; then help watch_folder; fi
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
${inImage ? inImage.end : ''}`;
}
