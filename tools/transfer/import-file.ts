import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import { firstOpenedNumber, type UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { OpenedProject } from '#lib/projects/opened-project.ts';
import { readOpenedProjects } from '#lib/projects/opened-project-store.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { raiseCounter } from '#lib/table/counter.ts';
import { countOf } from '#lib/users/identity.ts';
import { openGivenNumbers } from './given-numbers.ts';
import { type ImportOptions, importRecord, type Outcome } from './import-record.ts';
import { knowProjects } from './known-projects.ts';
import { type Claim, parseRecord, readClaim, type Transferred } from './records.ts';

export type Counts = Record<Outcome['state'], number>;

export interface ImportReport {
  /** Called for each line that was skipped, with the reason. */
  onProblem(line: number, message: string): void;
  onProgress(done: number, total: number, counts: Counts): void;
}

/** How many lines or users are processed in parallel. */
const width = 16;

/**
 * Reads the file twice. The first pass finds mistakes and the highest numbers. The counters are
 * raised to these before anything is written, so that no submission during the import gets one of
 * them. The second pass imports the lines.
 */
export async function importFile(
  file: string,
  options: ImportOptions,
  report: ImportReport,
): Promise<Counts> {
  const { table, catalog, dryRun } = options;
  const opened = await readOpenedProjects(table);
  const survey = await surveyFile(readFile(file, catalog, opened), report);
  // Read the counters before raising them, because only numbers above the old values are free.
  const numbers = await openGivenNumbers(table, catalog, survey.jobIds);
  if (!dryRun) {
    for (const name of ['job', 'quota', 'project', 'user'] as const) {
      if (survey.highest[name] > 0) await raiseCounter(table, name, survey.highest[name]);
    }
  }
  const counts: Counts = { created: 0, present: 0, different: 0, wrong: survey.wrong };
  const { refused } = survey;
  const guests = new Set<UserId>();
  const created = new Map<string, number>();
  let done = 0;
  for await (const batch of gatherRecords(readFile(file, catalog, opened))) {
    await mapInParallel(batch, width, async ({ number, claim, record }) => {
      const place = placeOf(claim);
      const outcome = refuseTwin(claim, created) ?? (await importRecord(options, numbers, record));
      counts[outcome.state] += 1;
      if (outcome.state === 'created') created.set(place, number);
      if ('problem' in outcome) report.onProblem(number, outcome.problem);
      if (outcome.state === 'wrong') refused.add(place);
      else if ('quota' in record) guests.add(record.quota.user);
    });
    done += batch.length;
    report.onProgress(done, survey.records, counts);
  }
  if (!dryRun) await welcomeGuests(options, guests, refused);
  return counts;
}

/**
 * Welcomes everybody with a quota in the file, which creates missing default quotas. This comes
 * last, because a later line may have the balance of a default quota. If the line of a default
 * project was refused, its quota is created at the user's first call, so that the corrected line
 * can be imported until then.
 */
async function welcomeGuests(
  { table, catalog }: ImportOptions,
  guests: ReadonlySet<UserId>,
  refused: ReadonlySet<string>,
): Promise<void> {
  await mapInParallel([...guests], width, async (user) => {
    const systems = catalog.systems.filter((system) => {
      const { hpc, name: project } = defaultProject(system);
      return !refused.has(placeOf({ kind: 'quota', user, hpc, project }));
    });
    await welcomeUser(table, { ...catalog, systems }, user);
  });
}

/** Refuses records that are in the file twice. Works in a dry run too, where nothing is stored. */
function refuseTwin(claim: Claim, created: ReadonlyMap<string, number>): Outcome | undefined {
  const line = created.get(placeOf(claim));
  if (line === undefined) return undefined;
  return { state: 'wrong', problem: `this ${claim.kind} is also on line ${line}` };
}

function placeOf({
  kind,
  user,
  hpc,
  project,
  jobId,
  batchId,
}: Omit<Claim, 'id' | 'count'>): string {
  return [kind, user, hpc, project, jobId, batchId].join(' ');
}

async function surveyFile(lines: AsyncIterable<Line>, report: ImportReport) {
  const survey = {
    records: 0,
    wrong: 0,
    /** Includes refused lines: their numbers are in use elsewhere. */
    highest: { job: 0, quota: 0, project: 0, user: 0 },
    jobIds: new Set<number>(),
    /** The places of refused lines. */
    refused: new Set<string>(),
  };
  for await (const { number, claim, record, problem } of lines) {
    if (claim) noteNumbers(survey.highest, claim);
    if (record) {
      survey.records += 1;
      if ('job' in record) survey.jobIds.add(record.job.id);
    } else {
      survey.wrong += 1;
      if (claim) survey.refused.add(placeOf(claim));
      report.onProblem(number, problem);
    }
  }
  return survey;
}

/** Keeps the highest number of each kind. */
function noteNumbers(
  highest: Record<'job' | 'quota' | 'project' | 'user', number>,
  { kind, id, count, user }: Claim,
): void {
  const counted = kind === 'project' ? id - firstOpenedNumber + 1 : id + count - 1;
  const counter = kind === 'batch' ? 'job' : kind === 'budget' ? 'quota' : kind;
  highest[counter] = Math.max(highest[counter], counted);
  if (user) highest.user = Math.max(highest.user, countOf(user));
}

/**
 * Makes batches without two lines about the same record, because a batch is written in parallel.
 */
async function* gatherRecords(lines: AsyncIterable<Line>): AsyncGenerator<RecordLine[]> {
  let batch = new Map<string, RecordLine>();
  for await (const line of lines) {
    if (!line.record) continue;
    const place = placeOf(line.claim);
    if (batch.size === width || batch.has(place)) {
      yield [...batch.values()];
      batch = new Map();
    }
    batch.set(place, line);
  }
  yield [...batch.values()];
}

interface RecordLine {
  readonly number: number;
  readonly claim: Claim;
  readonly record: Transferred;
  readonly problem?: undefined;
}

type Line =
  | RecordLine
  | {
      readonly number: number;
      readonly claim: Claim | undefined;
      readonly record?: undefined;
      readonly problem: string;
    };

/** Reads and checks each line. Also finds ids that are in the file twice, which no table shows. */
async function* readFile(
  file: string,
  catalog: Catalog,
  opened: readonly OpenedProject[],
): AsyncGenerator<Line> {
  const projects = knowProjects(opened);
  const lineOf = new Map<string, number>();
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (line.trim() === '') continue;
    let claim: Claim | undefined;
    try {
      const json: unknown = JSON.parse(line);
      claim = readClaim(json);
      const record = parseRecord(catalog, projects, json);
      if (!claim) throw new Error('the line has no id');
      const { kind, id } = claim;
      const earlier = lineOf.get(`${kind} ${id}`);
      if (earlier === undefined) lineOf.set(`${kind} ${id}`, number);
      yield earlier === undefined
        ? { number, claim, record }
        : { number, claim, problem: `id ${id} is also that of the ${kind} on line ${earlier}` };
    } catch (error) {
      yield { number, claim, problem: error instanceof Error ? error.message : String(error) };
    }
  }
}
