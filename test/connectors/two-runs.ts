import type { Stage } from './stage.ts';

/**
 * Writes a script whose first run uses more than a second of a processor and lasts until it is ended,
 * and whose second run does little and fails. It counts its runs by a file that is not the job's own.
 */
export function writeTwoRuns(stage: Stage): string {
  const count = stage.place('runs');
  return [
    `echo run >>'${count}'`,
    `number=$(wc -l <'${count}')`,
    'echo "run $number" >run.txt',
    'if [ "$number" = 1 ]; then echo first >first.txt; timeout 1.2 yes >/dev/null; exec sleep 100; fi',
    'sleep 1.2',
    'exit 3',
  ].join('\n');
}
