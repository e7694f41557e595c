import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { raiseCounter } from '#lib/table/writes/counter.ts';
import { countOf } from '#lib/users/assigned/identity.ts';
import { type GivenNumbers, openGivenNumbers } from './given-numbers.ts';
import { type ImportOptions, importRecord, type Outcome } from './import-record.ts';
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
  const { records, wrong, highest } = await surveyFile(file, options, report);
  // Before the counters are raised: behind them nothing has a number yet.
  const numbers = await openGivenNumbers(options.table, options.catalog);
  if (!options.dryRun) {
    for (const name of ['job', 'quota', 'user'] as const) {
      if (highest[name] > 0) await raiseCounter(options.table, name, highest[name]);
    }
  }
  const counts: Counts = { created: 0, present: 0, different: 0, wrong };
  await importRecords(file, options, numbers, counts, report, records);
  return counts;
}

async function surveyFile(file: string, options: ImportOptions, report: ImportReport) {
  const survey = { records: 0, wrong: 0, highest: { job: 0, quota: 0, user: 0 } };
  for await (const { number, record, problem } of readFile(file, options)) {
    if (record) {
      survey.records += 1;
      const { kind, id } = numberOf(record);
      survey.highest[kind] = Math.max(survey.highest[kind], id);
      // A number that was given to somebody elsewhere must not be given to another one here.
      survey.highest.user = Math.max(survey.highest.user, countOf(userOf(record)));
    } else {
      survey.wrong += 1;
      report.onProblem(number, problem);
    }
  }
  return survey;
}

function numberOf(record: Transferred) {
  return 'job' in record
    ? { kind: 'job' as const, id: record.job.id }
    : { kind: 'quota' as const, id: record.quota.id };
}

function userOf(record: Transferred): UserId {
  return 'job' in record ? record.job.owner : record.quota.user;
}

async function importRecords(
  file: string,
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
  for await (const line of readFile(file, options)) {
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
async function* readFile(file: string, { catalog }: ImportOptions): AsyncGenerator<Line> {
  const linesOf = { job: new Map<number, number>(), quota: new Map<number, number>() };
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const record = parseRecord(catalog, line);
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
