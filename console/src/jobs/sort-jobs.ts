import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import type { Job } from '#client/src/index.ts';
import { currentLanguage } from '#client/src/words/language.ts';
import { phrase } from './words.ts';

/** The columns of the list, in the order in which they are shown. */
export const columns = ['stage', 'title', 'where', 'time', 'age', 'id'] as const;

export type Column = (typeof columns)[number];

/** Columns that somebody may hide. The others say what a row is. */
export const optionalColumns = ['where', 'time', 'age', 'id'] as const satisfies readonly Column[];

export const heads = {
  stage: () => phrase('stage'),
  title: () => phrase('title'),
  where: () => phrase('where'),
  time: () => phrase('time'),
  age: () => phrase('age'),
  id: () => phrase('id'),
} as const satisfies Record<Column, () => string>;

export interface Sorting {
  readonly by: Column;
  readonly descending: boolean;
}

/** The newest first, as the service lists them. */
const usual: Sorting = { by: 'age', descending: true };

/** Reads `title` or `-title` from an address. */
export function readSorting(text: string): Sorting {
  const by = columns.find((column) => column === text.replace(/^-/, ''));
  return by === undefined ? usual : { by, descending: text.startsWith('-') };
}

/** Writes the sorting for an address. The usual one is left out. */
export function writeSorting({ by, descending }: Sorting): string {
  if (isUsual({ by, descending })) return '';
  return `${descending ? '-' : ''}${by}`;
}

export function isUsual({ by, descending }: Sorting): boolean {
  return by === usual.by && descending === usual.descending;
}

/** Returns the sorting after a click on a heading: its own direction first, then the other one. */
export function turnSorting(now: Sorting, by: Column): Sorting {
  if (now.by === by) return { by, descending: !now.descending };
  return { by, descending: by === 'age' || by === 'time' };
}

/** Running jobs first, because somebody waits for them. */
const order = ['running', 'finishing', 'starting', 'waiting', 'failed', 'done', 'cancelled'];

/** Sorts the jobs. Jobs that are alike stay in the order of the service. */
export function sortJobs(
  jobs: readonly Job[],
  { by, descending }: Sorting,
  stageOf: StageOf,
): readonly Job[] {
  if (isUsual({ by, descending })) return jobs;
  const compare = comparers(stageOf)[by];
  const sign = descending ? -1 : 1;
  return jobs.toSorted((one, other) => sign * compare(one, other) || other.id - one.id);
}

function comparers(stageOf: StageOf): Readonly<Record<Column, (one: Job, other: Job) => number>> {
  const { compare: compareWords } = new Intl.Collator(currentLanguage().code, {
    numeric: true,
    sensitivity: 'base',
  });
  const rank = (job: Job) => order.indexOf(stageOf(job).meaning);
  const place = (job: Job) => `${job.project_hpc} ${job.project_name}`;
  return {
    stage: (one, other) => rank(one) - rank(other),
    title: (one, other) => compareWords(one.title, other.title),
    where: (one, other) => compareWords(place(one), place(other)),
    time: (one, other) => one.runtime - other.runtime,
    age: (one, other) => one.id - other.id,
    id: (one, other) => compareWords(one.job_id, other.job_id),
  };
}
