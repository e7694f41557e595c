import { quoteForShell } from './quote-for-shell.ts';
import { scriptExits } from './script-terms.ts';

/** The folder of a project that stays, as the script of a job finds it. */
export interface ScriptFolder {
  readonly path: string;
  readonly maxBytes: number;
  /** True if its members' jobs run as accounts of their own, which share it by its group. */
  readonly isShared: boolean;
  /** True if nobody but jobs sees it, so that each judges at its start whether there is room. */
  readonly isOutOfReach: boolean;
}

/** Says that the folder of a project is over its bound, in its words for a running job. */
export function explainFullFolder(bytes: number | string, maxBytes: number): string {
  return `The folder of the project has ${bytes} bytes, more than the ${maxBytes} that it may have. New jobs of the project are refused until there is room.`;
}

/** Says why a job does not begin. */
export function explainNoRoom(bytes: string, maxBytes: number | string): string {
  return `The folder of the project has ${bytes} bytes, more than the ${maxBytes} that it may have. A job that deletes files runs if its command has ${makesRoom} in it.`;
}

/** A list for people to look at. The service takes no larger body than the ends of two streams. */
const mostListed = 1000;
export const mostListBytes = 100_000;

const firstLookSeconds = 4;
const slowestLookSeconds = 300;

/**
 * Defines what a script does with the folder of its project: makes it, unless accounts share it, and
 * looks whether there is room.
 */
export function findProjectFolder(folder: ScriptFolder | undefined): string {
  if (!folder) return '';
  const { path, maxBytes, isShared, isOutOfReach } = folder;
  const make = isShared ? '' : '[ -d "$project_folder" ] || mkdir -p -- "$project_folder"\n';
  return `
project_folder=${quoteForShell(path)}
count_folder() {
  read -r kept_bytes kept_files < <(
    find "$project_folder" ! -type d -printf '%s\\n' 2>/dev/null |
      awk '{ bytes += $1 } END { printf "%.0f %d\\n", bytes, NR }'
  )
}
tell_full() {
  if [ "$kept_bytes" -le ${maxBytes} ] || [ -e ../told.full ]; then return; fi
  : >../told.full
  printf 'slipway: %s\\n' "${explainFullFolder('$kept_bytes', maxBytes)}" >>stderr
}
watch_folder() {
  local pause=${firstLookSeconds}
  while sleep "$pause"; do
    count_folder
    tell_full
    if [ -e ../told.full ]; then return; fi
    pause=$((pause < ${slowestLookSeconds / 2} ? pause * 2 : ${slowestLookSeconds}))
  done
}
${make}if ! { [ -d "$project_folder" ] && [ -w "$project_folder" ]; }; then
  say "The folder of the project cannot be used: $project_folder"
  exit ${scriptExits.noProjectFolder}
fi
${isOutOfReach ? judgeRoom(maxBytes) : ''}`;
}

/** In a command, it says that the job makes room, and so runs although there is none. */
export const makesRoom = 'SLIPWAY_MAKES_ROOM';

function judgeRoom(maxBytes: number): string {
  return `no_room=
count_folder
if [ "$kept_bytes" -gt ${maxBytes} ] && [[ $command_text != *${makesRoom}* ]]; then
  no_room=yes
  printf 'slipway: %s\\n' "${explainNoRoom('$kept_bytes', maxBytes)}" >stderr
fi
`;
}

/** Runs the command unless the folder of its project is over its bound, which nobody else sees. */
export function runWhenRoom(run: string, folder: ScriptFolder | undefined): string {
  if (!folder?.isOutOfReach) return run;
  return `
if [ -n "$no_room" ]; then
  : >stdout
  began=$SECONDS ended=$SECONDS code=${scriptExits.noRoom} ending=
else
${run}
fi
`;
}

/**
 * Attends to the folder after the command: lets the other members use what the job left, with the
 * rights of its account alone, says if it is over its bound, and sends what is in it where only jobs
 * see it. A job that is being ended has no time for it.
 */
export function leaveProjectFolder(folder: ScriptFolder | undefined): string {
  if (!folder) return '';
  const { isShared, isOutOfReach } = folder;
  return `
if [ "$ending" != stopped ]; then
${isShared ? share : ''}  cd -- "$directory/job"
  count_folder
  tell_full
${isOutOfReach ? tell : ''}fi
`;
}

/** What was moved there has the group and the modes that it had before. */
const share = `  find "$project_folder" -user "$(id -u)" ! -type l \\
    -exec chgrp "$(stat -c %g -- "$project_folder")" {} + -exec chmod g+rwX {} + 2>/dev/null
`;

const tell = `  find "$project_folder" -type f -printf '%s %P\\0' 2>/dev/null | sort -z -k 2 |
    head -z -n ${mostListed} >../folder.list
  if [ "$(wc -c <../folder.list)" -gt ${mostListBytes} ]; then : >../folder.list; fi
  printf 'url = "%s&length=%s&files=%d"\\n' "\${results_address/\\/results\\//\\/folder\\/}" \\
    "$kept_bytes" "$kept_files" |
    call --max-time 60 --request PUT --header 'Content-Type: application/octet-stream' \\
      --header 'Expect:' --data-binary @../folder.list --output /dev/null >/dev/null
`;
