/** Task numbers of an array, as Slurm writes them: `0-3,7,10-20:5%4`. */
export interface TaskList {
  readonly ranges: readonly TaskRange[];
  /** False if slurmrestd shortened the list. Then later tasks may belong to it, too. */
  readonly complete: boolean;
}

interface TaskRange {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

/** Writes task numbers, which must be in order, as Slurm reads them. */
export function writeTasks(tasks: readonly number[], atOnce?: number): string {
  const ranges: { first: number; last: number }[] = [];
  for (const task of tasks) {
    const range = ranges.at(-1);
    if (range?.last === task - 1) range.last = task;
    else ranges.push({ first: task, last: task });
  }
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return `${texts.join(',')}${atOnce === undefined ? '' : `%${atOnce}`}`;
}

/**
 * Reads the task numbers that a record stands for. Ranges are not expanded, because an array of
 * somebody else may have millions of tasks. slurmrestd shortens long lists to about 64 characters
 * and writes `...` after the last whole number.
 */
export function readTasks(text: string): TaskList {
  const [list = ''] = text.split('%');
  const parts = list
    .split(',')
    .filter((part) => part !== '')
    .map((part) => /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(part));
  const ranges = parts.flatMap((match) => {
    if (!match) return [];
    const [, first, last = first, step = '1'] = match;
    return [{ first: Number(first), last: Number(last), step: Number(step) }];
  });
  return { ranges, complete: ranges.length === parts.length };
}

/** Returns undefined if a shortened list leaves it open. */
export function hasTask({ ranges, complete }: TaskList, task: number): boolean | undefined {
  const isListed = ranges.some(
    ({ first, last, step }) => task >= first && task <= last && (task - first) % step === 0,
  );
  const lastListed = ranges.at(-1)?.last ?? -1;
  return isListed || (complete || task < lastListed ? false : undefined);
}

/** Returns the handle of a task, by which Slurm's own commands know it, too. */
export function handleOfTask(array: number | string, task: number): string {
  return `${array}_${task}`;
}

/** Splits a handle into the number of the job or array, and the task if it is one. */
export function readHandle(handle: string): { readonly number: string; readonly task?: number } {
  const [number = '', task] = handle.split('_');
  return task === undefined ? { number } : { number, task: Number(task) };
}
