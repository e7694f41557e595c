import { setTimeout as sleep } from 'node:timers/promises';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { isSystemFault, type Observation, type SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { readHandle } from './array-tasks.ts';
import { isAbout, type JobList, type JobRecord, readAccountedJobs } from './job-record.ts';
import { observeJob } from './observe-job.ts';
import { isSuccess } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/**
 * The most jobs and arrays that we look up one by one in the accounting. Of jobs that the queue has
 * lost, the rest wait for the next check. Of jobs that have ended, the rest are not measured.
 */
const maxQuestions = 16;
const width = 4;

interface Questions {
  readonly missing: readonly SubmittedJob[];
  readonly ended: readonly EndedJob[];
  readonly locate: (job: SubmittedJob) => string;
}

/** A job that ran, and whose end is in the queue. */
export interface EndedJob {
  readonly job: SubmittedJob;
  /** Its own number in Slurm. A started task of an array has one, too. */
  readonly number: number;
  readonly observation: Extract<Observation, { state: 'ended' }>;
}

/**
 * Asks the accounting about jobs that are no longer in the queue, and for what it measured of ended
 * ones. Without accounting, a job that is not in the queue is unknown.
 */
export async function askAccounting(
  slurmrestd: Slurmrestd,
  { missing, ended, locate }: Questions,
): Promise<Map<string, Observation>> {
  if (missing.length + ended.length === 0) return new Map();
  const { hasAccounting } = await slurmrestd.discover();
  if (!hasAccounting) return new Map(missing.map(({ jobId }) => [jobId, unknown]));
  const byNumber = Map.groupBy(missing, ({ handle }) => readHandle(handle).number);
  const found = await mapInParallel(
    [...byNumber].slice(0, maxQuestions),
    width,
    ([number, some]) => observeAccounted(slurmrestd, number, some, locate),
    { stopAtFailure: true },
  );
  const rest = Math.max(0, maxQuestions - byNumber.size);
  const measured = await measureEnded(slurmrestd, groupEnded(ended).slice(0, rest));
  return new Map([...found.flat(), ...measured].map(([{ jobId }, seen]) => [jobId, seen]));
}

type Answer = [SubmittedJob, Observation];

/** The accounting usually hears of an end within half a second of the queue. */
const lagMs = 1_000;
/** Later than this after an end, the accounting has what it will ever have. */
const newsSeconds = 10;

/** Up to this number tasks are asked for one by one. An answer about an array has all of its tasks. */
const fewTasks = 4;

/** Ended jobs that one question asks about. */
interface Measurable {
  readonly number: string;
  readonly ended: readonly EndedJob[];
}

function groupEnded(all: readonly EndedJob[]): Measurable[] {
  const groups = Map.groupBy(all, ({ job }) => readHandle(job.handle).number);
  return [...groups].flatMap(([number, ended]) =>
    ended.length > fewTasks
      ? [{ number, ended }]
      : ended.map((one) => ({ number: String(one.number), ended: [one] })),
  );
}

/**
 * Adds what the accounting measured of jobs that are still in the queue, which has no such figures.
 * It is asked once more for jobs that have just ended. A job ends without figures if the accounting
 * does not answer.
 */
async function measureEnded(
  slurmrestd: Slurmrestd,
  groups: readonly Measurable[],
): Promise<Answer[]> {
  const late: EndedJob[] = [];
  let isThere = true;
  const measure = async ({ number, ended }: Measurable): Promise<Answer[]> => {
    if (!isThere) return [];
    try {
      const list = await readAccounted(slurmrestd, number, ended[0]?.job.login);
      return ended.flatMap((one): Answer[] => {
        const { job, observation } = one;
        const record = findLastRun(list?.jobs ?? [], job);
        const measured = record ? record.measured : 'late';
        if (typeof measured === 'object') return [[job, { ...observation, measured }]];
        if (measured === 'late' && isNews(observation)) late.push(one);
        return [];
      });
    } catch (error) {
      if (!isSystemFault(error)) throw error;
      isThere = false;
    }
    return [];
  };
  const measureAll = async (some: readonly Measurable[]) =>
    (await mapInParallel(some, width, measure, { stopAtFailure: true })).flat();
  const first = await measureAll(groups);
  if (late.length === 0) return first;
  await sleep(lagMs);
  return [...first, ...(await measureAll(groupEnded(late)))];
}

function isNews({ endedAt }: EndedJob['observation']): boolean {
  return endedAt !== undefined && Date.now() - endedAt.getTime() < newsSeconds * 1000;
}

/**
 * Looks a job up, or all tasks of an array. Returns no observations without an answer. The
 * accounting may say that a job runs long after the queue lost it ("runaway jobs"), so only an end
 * is believed.
 */
async function observeAccounted(
  slurmrestd: Slurmrestd,
  number: string,
  jobs: readonly SubmittedJob[],
  locate: Questions['locate'],
): Promise<Answer[]> {
  try {
    const list = await readAccounted(slurmrestd, number, jobs[0]?.login);
    return jobs.flatMap((job): Answer[] => {
      const record = list && findLastRun(list.jobs, job);
      if (record === undefined) return list?.complete === false ? [] : [[job, unknown]];
      const observation = observeJob(record, locate(job));
      if (observation === undefined) return [];
      return [[job, observation.state === 'living' ? unknown : observation]];
    });
  } catch (error) {
    if (error instanceof SystemUnavailableError) return [];
    throw error;
  }
}

const unknown: Observation = { state: 'unknown' };

/** A requeued job has one entry per run, in no fixed order. */
function findLastRun(records: readonly JobRecord[], job: SubmittedJob): JobRecord | undefined {
  return records
    .filter((record) => isAbout(record, job.handle) && isOwn(record, job))
    .toSorted((one, other) => (one.start ?? 0) - (other.start ?? 0))
    .at(-1);
}

async function readAccounted(
  slurmrestd: Slurmrestd,
  number: string,
  login: string | undefined,
): Promise<JobList | undefined> {
  const path = `/job/${encodeURIComponent(number)}`;
  const answer = await slurmrestd.call({ method: 'GET', area: 'slurmdb', path, login });
  return isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
}

/** Rebuilt clusters reuse job numbers, so this checks the name, too. */
export function isOwn(record: JobRecord, { jobId, handle, array }: SubmittedJob): boolean {
  return record.name === (readHandle(handle).task === undefined ? jobId : array?.name);
}
