import { type Command, Option } from '@commander-js/extra-typings';
import { writeNodeTime, writeReservation } from '../../format/amounts/amounts.ts';
import { describeStages, type StageOf, type StageView } from '../../format/jobs/describe-stage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { tell } from '../../format/sentences/tell.ts';
import { measureRun, writeDuration } from '../../format/times/duration.ts';
import { writeBareAge } from '../../format/times/write-age.ts';
import { type Job, placeOf, type Slipway, type Timeline } from '../../index.ts';
import { readWhyFailed } from '../../jobs/last-line.ts';
import { type Column, column, rightColumn } from '../terminal/screen.ts';
import { colourOf, type Paint } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';
import { readCharging, readUse } from './find.ts';
import { readCount, readPastOption } from './options.ts';

/** Asks the service what the stages of its systems mean. */
export async function readStages(client: Slipway): Promise<StageOf> {
  return describeStages(await client.listSystems());
}

export function writeStage({ icon, label }: StageView): string {
  return `${icon} ${label}`;
}

/** Columns for a list of jobs. */
export function jobColumns(
  now: Date,
  paint: Paint,
  stageOf: StageOf,
  { ofBatch = false } = {},
): readonly Column<JobInProgress>[] {
  const index: Column<JobInProgress> = rightColumn('shared.headIndex', ({ job }) =>
    String(job.index ?? ''),
  );
  return [
    ...(ofBatch ? [index] : []),
    column('shared.headStage', ({ job }) => writeStage(stageOf(job)), {
      paint: ({ job }, text) => paint(colourOf[stageOf(job).meaning], text),
    }),
    column('shared.headJob', ({ job }) => writeShortId(job.job_id)),
    column('shared.headTitle', ({ job }) => job.title || phrase('shared.noTitle'), {
      shrinks: true,
    }),
    column('shared.headSystem', ({ job }) => job.project_hpc.toLowerCase(), { spare: 1 }),
    rightColumn('shared.headTime', writeTime, { spare: 2 }),
    rightColumn('shared.headAge', ({ job }) => writeBareAge(job.init_date, now), { spare: 3 }),
    column('', ({ reason = '' }) => reason, { shrinks: true, spare: 4 }),
  ];
}

/** Writes `12 min of 30 min` while the job runs. */
function writeTime({ job, ran }: JobInProgress): string {
  const granted = writeDuration(job.runtime * 3600);
  return ran === undefined || job.terminal_stage
    ? granted
    : phrase('shared.partOfWhole', { part: writeDuration(ran), whole: granted });
}

const usualCount = 20;

/** Adds the filters that lists of jobs share, and where the jobs are. */
export function withJobFilter(command: Command) {
  return withJobOptions(command)
    .argument('[hpc]', phrase('shared.nameOfAnHpcSystem'))
    .argument('[project]', phrase('shared.nameOfAProject'));
}

export function withJobOptions(command: Command) {
  return command
    .option('--active', phrase('session.onlyActiveJobs'))
    .addOption(new Option('--living').hideHelp())
    .option('--ended', phrase('session.onlyEndedJobs'))
    .option('--failed', phrase('session.onlyFailedJobs'))
    .option('--stage <word>', phrase('session.stageInTheWord'))
    .option('--title <text>', phrase('session.partOfTheTitle'))
    .option('--since <when>', phrase('session.earliestSubmission'), readPastOption)
    .option('--until <when>', phrase('session.latestSubmission'), readPastOption)
    .option('-l, --limit <count>', phrase('shared.numberOfRows'), readCount, usualCount)
    .option('-a, --all', phrase('shared.allRows'))
    .option('--csv', phrase('shared.printCsvWithAllFields'));
}

export type JobOptions = ReturnType<ReturnType<typeof withJobOptions>['opts']>;

export function readJobFilter(
  hpc: string | undefined,
  project: string | undefined,
  options: JobOptions,
) {
  return {
    order: 'desc' as const,
    hpc: hpc?.toLowerCase(),
    project_name: project,
    terminal: chooseEnd(options),
    failed: options.failed,
    stage: options.stage?.toUpperCase(),
    title: options.title,
    since: options.since,
    until: options.until,
  };
}

/** Both flags, or neither, mean all jobs. */
function chooseEnd(options: Pick<JobOptions, 'active' | 'living' | 'ended'>): boolean | undefined {
  const active = options.active ?? options.living;
  return active === options.ended ? undefined : options.ended === true;
}

/** A job, how long it has run, and why it waits or what it wrote last before it failed. */
interface JobInProgress {
  readonly job: Job;
  /** Seconds. Undefined before the job runs. */
  readonly ran?: number;
  readonly reason?: string;
}

/** Limits the requests for timelines and output: a list is not worth hundreds of them. */
const mostTimelines = 20;
const mostFailed = 5;

export async function readProgress(
  client: Slipway,
  jobs: readonly Job[],
  now: Date,
): Promise<JobInProgress[]> {
  const active = new Set(jobs.filter((job) => !job.terminal_stage).slice(0, mostTimelines));
  const failed = new Set(jobs.filter((job) => job.failed).slice(0, mostFailed));
  return Promise.all(
    jobs.map(async (job) => {
      if (active.has(job))
        return describeTimeline(job, await client.getTimeline(placeOf(job)), now);
      const reason = failed.has(job) ? await readWhyFailed(client, job) : undefined;
      return { job, ...(reason !== undefined && { reason }) };
    }),
  );
}

export function describeTimeline(job: Job, timeline: Timeline, now: Date): JobInProgress {
  const ran = measureRun(timeline, now);
  return {
    job,
    ...(ran !== undefined && { ran }),
    ...(timeline.reason !== null && { reason: tell(timeline.reason) }),
  };
}

/** Describes what a job reserves or used. Returns undefined if its ledger lines are not found. */
export async function describeAccount(client: Slipway, job: Job): Promise<string[]> {
  const [chargingOf, use] = await Promise.all([readCharging(client), readUse(client, job)]);
  if (!use) return [];
  const charging = chargingOf(job.project_hpc);
  const isSettled = use.used + use.returned >= use.held;
  if (job.terminal_stage && !isSettled) {
    const held = writeNodeTime(use.held, charging);
    return [phrase('session.reservedUntilItsSystemReports', { held })];
  }
  if (!job.terminal_stage) {
    return [phrase('session.reservedTime', { time: writeNodeTime(use.held, charging) })];
  }
  const { used = '', returned = '' } = writeReservation(use, charging);
  return [phrase('session.usedReturned', { time: used, time2: returned })];
}
