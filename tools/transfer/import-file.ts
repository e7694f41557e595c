import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { firstOpenedNumber } from '#lib/catalog/first-opened-number.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { OpenedProject } from '#lib/projects/opened-project.ts';
import { readOpenedProjects } from '#lib/projects/opened-project-store.ts';
import { raiseCounter } from '#lib/table/writes/counter.ts';
import { countOf } from '#lib/users/assigned/identity.ts';
import { type GivenNumbers, openGivenNumbers } from './given-numbers.ts';
import { type ImportOptions, importRecord, type Outcome } from './import-record.ts';
import { knowProjects } from './known-projects.ts';
import { parseRecord, type Transferred } from './records.ts';

export type Counts = Record<Outcome['state'], number>;

export interface ImportReport {
  /** A line that was left out, and why. */
  onProblem(line: number, message: string): void;
  onProgress(done: number, total: number, counts: Counts): void;
}

/** How many lines are on their way at once. */
const width = 16;

/**
 * Reads the file twice: first to find what is wrong with it and the highest numbers in it, which
 * are taken from the counters before anything is written, so that a submission beside the import
 * is not given one of them; then to bring it in.
 */
export async function importFile(
  file: string,
  options: ImportOptions,
  report: ImportReport,
): Promise<Counts> {
  const opened = await readOpenedProjects(options.table);
  const { records, wrong, highest } = await surveyFile(readFile(file, options, opened), report);
  // Before the counters are raised: behind them nothing has a number yet.
  const numbers = await openGivenNumbers(options.table, options.catalog);
  if (!options.dryRun) {
    for (const name of ['job', 'quota', 'project', 'user'] as const) {
      if (highest[name] > 0) await raiseCounter(options.table, name, highest[name]);
    }
  }
  const counts: Counts = { created: 0, present: 0, different: 0, wrong };
  const lines = readFile(file, options, opened);
  await importRecords(lines, options, numbers, counts, report, records);
  return counts;
}

async function surveyFile(lines: AsyncIterable<Line>, report: ImportReport) {
  const survey = { records: 0, wrong: 0, highest: { job: 0, quota: 0, project: 0, user: 0 } };
  for await (const { number, record, problem } of lines) {
    if (record) {
      survey.records += 1;
      const { kind, counted } = numberOf(record);
      survey.highest[kind] = Math.max(survey.highest[kind], counted);
      // A number that was given to somebody elsewhere must not be given to another one here.
      const user = userOf(record);
      if (user) survey.highest.user = Math.max(survey.highest.user, countOf(user));
    } else {
      survey.wrong += 1;
      report.onProblem(number, problem);
    }
  }
  return survey;
}

/** Its number, and what the counter of its kind makes of it. */
function numberOf(record: Transferred) {
  if ('job' in record) return { kind: 'job', id: record.job.id, counted: record.job.id } as const;
  if ('quota' in record) {
    return { kind: 'quota', id: record.quota.id, counted: record.quota.id } as const;
  }
  const { number: id } = record.project;
  return { kind: 'project', id, counted: id - firstOpenedNumber + 1 } as const;
}

/** A project is nobody's. */
function userOf(record: Transferred): UserId | undefined {
  if ('job' in record) return record.job.owner;
  return 'quota' in record ? record.quota.user : undefined;
}

async function importRecords(
  lines: AsyncIterable<Line>,
  options: ImportOptions,
  numbers: GivenNumbers,
  counts: Counts,
  report: ImportReport,
  total: number,
): Promise<void> {
  let batch: RecordLine[] = [];
  let done = 0;
  const finishBatch = async () => {
    await mapInParallel(batch, width, async ({ number, record }) => {
      const outcome = await importRecord(options, numbers, record);
      counts[outcome.state] += 1;
      if ('problem' in outcome) report.onProblem(number, outcome.problem);
    });
    done += batch.length;
    batch = [];
    report.onProgress(done, total, counts);
  };
  for await (const line of lines) {
    if (line.record) batch.push(line);
    if (batch.length === width) await finishBatch();
  }
  await finishBatch();
}

interface RecordLine {
  readonly number: number;
  readonly record: Transferred;
  readonly problem?: undefined;
}

type Line =
  | RecordLine
  | { readonly number: number; readonly record?: undefined; readonly problem: string };

/** A number twice in one file is a mistake too, which nothing that is stored can tell. */
async function* readFile(
  file: string,
  { catalog }: ImportOptions,
  opened: readonly OpenedProject[],
): AsyncGenerator<Line> {
  const projects = knowProjects(opened);
  const linesOf = {
    job: new Map<number, number>(),
    quota: new Map<number, number>(),
    project: new Map<number, number>(),
  };
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const record = parseRecord(catalog, projects, line);
      const { kind, id } = numberOf(record);
      const earlier = linesOf[kind].get(id);
      if (earlier === undefined) linesOf[kind].set(id, number);
      yield earlier === undefined
        ? { number, record }
        : { number, problem: `id ${id} is also that of the ${kind} on line ${earlier}` };
    } catch (error) {
      yield { number, problem: error instanceof Error ? error.message : String(error) };
    }
  }
}
