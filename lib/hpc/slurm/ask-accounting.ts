import { setTimeout as sleep } from 'node:timers/promises';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { isSystemFault, type Observation, type SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { readHandle } from './array-tasks.ts';
import { isAbout, type JobList, type JobRecord, readAccountedJobs } from './job-record.ts';
import { describeRuns, type KnownObservation, observeJob } from './observe-job.ts';
import { isSuccess } from './read-answer.ts';
import type { Slurm } from './slurm.ts';

/**
 * The most jobs and arrays that we look up one by one in the accounting. Of jobs that the queue has
 * lost, and of those that Slurm started more than once, the rest wait for the next check. Of other
 * jobs that have ended, the rest are not measured.
 */
const maxQuestions = 16;
const width = 4;

interface Questions {
  readonly missing: readonly SubmittedJob[];
  readonly queued: readonly QueuedJob[];
  readonly locate: (job: SubmittedJob) => string | undefined;
}

type Ended = Extract<Observation, { state: 'ended' }>;

/** A job in the queue about which the accounting knows more: what it used, or its earlier runs. */
export interface QueuedJob {
  readonly job: SubmittedJob;
  /** Its own number in Slurm. A started task of an array has one, too. */
  readonly number: number;
  readonly observation: KnownObservation;
}

/**
 * Asks the accounting about jobs that are no longer in the queue, and for what it knows of others:
 * what ended ones used, and the earlier runs of those that were started more than once. Without
 * accounting, a job that is not in the queue is unknown.
 */
export async function askAccounting(
  slurm: Slurm,
  { missing, queued, locate }: Questions,
): Promise<Map<string, Observation>> {
  if (missing.length + queued.length === 0) return new Map();
  if (!(await slurm.hasAccounting())) return new Map(missing.map(({ jobId }) => [jobId, unknown]));
  const byNumber = Map.groupBy(missing, ({ handle }) => readHandle(handle).number);
  const found = await mapInParallel(
    [...byNumber].slice(0, maxQuestions),
    width,
    ([number, some]) => observeAccounted(slurm, number, some, locate),
    { stopAtFailure: true },
  );
  const rest = Math.max(0, maxQuestions - byNumber.size);
  // Charges depend on earlier runs, so those jobs come first.
  const inOrder = groupQueued(queued.toSorted((one, other) => runOf(other) - runOf(one)));
  const completed = await complete(slurm, inOrder.slice(0, rest));
  const known = new Map([...found.flat(), ...completed].map(([{ jobId }, seen]) => [jobId, seen]));
  for (const { job, observation } of queued) {
    if (!known.has(job.jobId) && awaitsRuns(observation)) known.set(job.jobId, counting);
  }
  return known;
}

function runOf({ observation }: QueuedJob): number {
  return observation.run ?? 1;
}

/** Slurm's accounting may be away for a while. Later than this, a job ends with what is known. */
const longestWaitSeconds = 600;

/** True for a job that was started more than once, and whose earlier runs are not known yet. */
function awaitsRuns(seen: KnownObservation): boolean {
  return seen.state === 'ended' && (seen.run ?? 1) > 1 && isWithin(seen, longestWaitSeconds);
}

const counting: Observation = {
  state: 'living',
  stage: 'STAGINGOUT',
  reason: "It has ended, and its runs are charged as soon as Slurm's accounting tells them.",
};

type Answer = [SubmittedJob, Observation];

/** The accounting usually hears of an end within half a second of the queue. */
const lagMs = 1_000;
/** Later than this after an end, the accounting has what it will ever have. */
const newsSeconds = 10;

/** Up to this number tasks are asked for one by one. An answer about an array has all of its tasks. */
const fewTasks = 4;

/** Jobs that one question asks about. */
interface Question {
  readonly number: string;
  readonly some: readonly QueuedJob[];
}

function groupQueued(all: readonly QueuedJob[]): Question[] {
  const groups = Map.groupBy(all, ({ job }) => readHandle(job.handle).number);
  return [...groups].flatMap(([number, some]) =>
    some.length > fewTasks
      ? [{ number, some }]
      : some.map((one) => ({ number: String(one.number), some: [one] })),
  );
}

/**
 * Adds what the accounting knows of jobs that are still in the queue. It is asked once more for jobs
 * that have just ended. A job ends without figures if the accounting does not answer.
 */
async function complete(slurm: Slurm, questions: readonly Question[]): Promise<Answer[]> {
  const late: QueuedJob[] = [];
  let isThere = true;
  const ask = async ({ number, some }: Question): Promise<Answer[]> => {
    if (!isThere) return [];
    try {
      const list = await readAccounted(slurm, number, some[0]?.job.login);
      return some.flatMap((one): Answer[] => {
        const records = listRecords(list?.jobs ?? [], one.job);
        const seen = addRecords(one.observation, records);
        if (seen !== 'late') return [[one.job, seen]];
        if (isNews(one.observation)) late.push(one);
        return [];
      });
    } catch (error) {
      if (!isSystemFault(error)) throw error;
      isThere = false;
    }
    return [];
  };
  const askAll = async (some: readonly Question[]) =>
    (await mapInParallel(some, width, ask, { stopAtFailure: true })).flat();
  const first = await askAll(questions);
  if (late.length === 0) return first;
  await sleep(lagMs);
  return [...first, ...(await askAll(groupQueued(late)))];
}

/** Adds the records of a job to what the queue says about it. */
function addRecords(seen: KnownObservation, records: readonly JobRecord[]): Observation | 'late' {
  const runs = describeRuns(records);
  const { run = 1 } = seen;
  if (seen.state === 'living') {
    return { ...seen, earlierRuns: runs.filter(({ number }) => number < run) };
  }
  const last = records.at(-1);
  // A job that was queued again may be cancelled before it starts once more.
  const started = (seen.usedSeconds ?? 0) > 0 ? run : run - 1;
  if (last?.end === undefined || runs.length < started) return 'late';
  if (last.start !== undefined && last.measured === 'late') return 'late';
  const measured = measuredOf(last);
  return { ...seen, ...describeLast(records), ...(measured && { measured }) };
}

/** Describes the run that counts, which is the last one that Slurm started. */
function describeLast(records: readonly JobRecord[]): Partial<Ended> {
  const runs = describeRuns(records);
  const last = runs.at(-1);
  if (!last) return {};
  const { number, startedAt, seconds, isLost } = last;
  return {
    // A job that was queued again, and cancelled there, still counts as this run.
    run: number,
    usedSeconds: seconds,
    ...(startedAt && { startedAt }),
    ...(isLost && { isLost }),
    ...(number > 1 && { earlierRuns: runs.slice(0, -1) }),
  };
}

function measuredOf({ measured }: JobRecord) {
  return typeof measured === 'object' ? measured : undefined;
}

function isNews(seen: KnownObservation): boolean {
  return seen.state === 'ended' && isWithin(seen, newsSeconds);
}

function isWithin({ endedAt }: Ended, seconds: number): boolean {
  return endedAt !== undefined && Date.now() - endedAt.getTime() < seconds * 1000;
}

/**
 * Looks a job up, or all tasks of an array. Returns no observations without an answer. The
 * accounting may say that a job runs long after the queue lost it ("runaway jobs"), so only an end
 * is believed.
 */
async function observeAccounted(
  slurm: Slurm,
  number: string,
  jobs: readonly SubmittedJob[],
  locate: Questions['locate'],
): Promise<Answer[]> {
  try {
    const list = await readAccounted(slurm, number, jobs[0]?.login);
    return jobs.flatMap((job): Answer[] => {
      const records = listRecords(list?.jobs ?? [], job);
      const record = records.at(-1);
      if (record === undefined) return list?.complete === false ? [] : [[job, unknown]];
      const observation = observeJob(record, locate(job));
      if (observation === undefined) return [];
      if (observation.state !== 'ended') return [[job, unknown]];
      return [[job, { ...observation, ...describeLast(records) }]];
    });
  } catch (error) {
    if (error instanceof SystemUnavailableError) return [];
    throw error;
  }
}

const unknown: Observation = { state: 'unknown' };

/** Lists the records of a job in the order of its runs. The accounting has them in none. */
function listRecords(records: readonly JobRecord[], job: SubmittedJob): JobRecord[] {
  return sortRuns(records.filter((record) => isAbout(record, job.handle) && isOwn(record, job)));
}

/** A job that is queued again is submitted anew, to Slurm. */
export function sortRuns(records: readonly JobRecord[]): JobRecord[] {
  const submitted = (record: JobRecord) => record.submitted ?? record.start ?? 0;
  return records.toSorted((one, other) => submitted(one) - submitted(other));
}

async function readAccounted(
  slurm: Slurm,
  number: string,
  login: string | undefined,
): Promise<JobList | undefined> {
  const answer = await slurm.readAccounted(number, login);
  return isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
}

/** Rebuilt clusters reuse job numbers, so this checks the name, too. */
export function isOwn(record: JobRecord, { jobId, handle, array }: SubmittedJob): boolean {
  return record.name === (readHandle(handle).task === undefined ? jobId : array?.name);
}
