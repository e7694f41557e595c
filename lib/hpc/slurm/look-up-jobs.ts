import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Observation, SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { readHandle } from './array-tasks.ts';
import {
  isAbout,
  type JobList,
  type JobRecord,
  readAccountedJobs,
  readQueuedJobs,
} from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { observeJob } from './observe-job.ts';
import { isSuccess, isUnknownJob } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** Up to this number we ask one by one. A list has every user's jobs and costs Slurm 0.2 ms each. */
const maxSingleQuestions = 4;

/**
 * The most jobs and arrays that we look up one by one in the accounting. The rest wait for the next
 * check.
 */
const maxAccountQuestions = 16;
const width = 4;

type Locate = (job: SubmittedJob) => string;

export async function lookUpJobs(
  slurmrestd: Slurmrestd,
  jobs: readonly SubmittedJob[],
  locate: Locate,
): Promise<ReadonlyMap<string, Observation>> {
  if (jobs.length === 0) return new Map();
  const queue = await readQueue(slurmrestd, jobs);
  const findRecord = indexRecords(queue.jobs);
  const observations = new Map<string, Observation>();
  const missing: SubmittedJob[] = [];
  for (const job of jobs) {
    const record = findRecord(job.handle);
    const own = record && isOwn(record, job);
    if (!own && (own === false || queue.complete)) missing.push(job);
    const observation = own ? observeJob(record, locate(job)) : undefined;
    if (observation) observations.set(job.jobId, observation);
  }
  for (const [job, observation] of await askAccounting(slurmrestd, missing, locate)) {
    observations.set(job.jobId, observation);
  }
  return observations;
}

/**
 * Returns a function that finds the record of a job or task. A task that has not started is in the
 * record of its array. If that list is shortened, the task counts as waiting.
 */
function indexRecords(records: readonly JobRecord[]) {
  const byId = Map.groupBy(records, ({ id }) => id);
  return (handle: string): JobRecord | undefined => {
    const own = byId.get(handle)?.find(({ tasks }) => tasks === undefined);
    const { number } = readHandle(handle);
    return own ?? byId.get(number)?.find((record) => isAbout(record, handle) !== false);
  };
}

/** Rebuilt clusters reuse job numbers, so this checks the name, too. */
function isOwn(record: JobRecord, { jobId, handle, array }: SubmittedJob): boolean {
  return record.name === (readHandle(handle).task === undefined ? jobId : array?.name);
}

async function readQueue(slurmrestd: Slurmrestd, jobs: readonly SubmittedJob[]): Promise<JobList> {
  const questions = oneOfEachArray(jobs);
  if (questions.length <= maxSingleQuestions) return askForEach(slurmrestd, questions);
  const list = await listQueue(slurmrestd);
  const findRecord = indexRecords(list.jobs);
  // Slurm may show users only their own jobs (PrivateData), so we ask again as the job's account.
  const hidden = jobs.filter(
    ({ handle, login }) => login !== undefined && findRecord(handle) === undefined,
  );
  return joinLists([list, await askForEach(slurmrestd, oneOfEachArray(hidden))]);
}

/** Slurm answers a question for an array with all its tasks. */
function oneOfEachArray(jobs: readonly SubmittedJob[]): SubmittedJob[] {
  return [...new Map(jobs.map((job) => [readHandle(job.handle).number, job])).values()];
}

async function askForEach(slurmrestd: Slurmrestd, jobs: readonly SubmittedJob[]): Promise<JobList> {
  const ask = (job: SubmittedJob) => readQueued(slurmrestd, job);
  return joinLists(await mapInParallel(jobs, width, ask, { stopAtFailure: true }));
}

function joinLists(lists: readonly JobList[]): JobList {
  return {
    jobs: lists.flatMap((list) => list.jobs),
    complete: lists.every((list) => list.complete),
  };
}

/** Reads a job, or all tasks of its array. */
export async function readQueued(
  slurmrestd: Slurmrestd,
  { handle, login }: SubmittedJob,
): Promise<JobList> {
  const path = `/job/${encodeURIComponent(readHandle(handle).number)}`;
  const answer = await slurmrestd.call({ method: 'GET', path, login });
  return isUnknownJob(answer) ? { jobs: [], complete: true } : readList(readQueuedJobs, answer);
}

/** Asks as an account, or as the service. */
export async function listQueue(slurmrestd: Slurmrestd, login?: string): Promise<JobList> {
  return readList(readQueuedJobs, await slurmrestd.call({ method: 'GET', path: '/jobs', login }));
}

type Answer = Awaited<ReturnType<Slurmrestd['call']>>;

/** Rejects a list with errors. It may lack jobs, and a missing job would count as unknown. */
function readList(read: (content: unknown) => JobList | undefined, answer: Answer): JobList {
  const list = isSuccess(answer) ? read(answer.content) : undefined;
  if (list === undefined || (answer.errors ?? []).length > 0) {
    throw reportFailure(answer, 'jobs');
  }
  return list;
}

/** Without accounting, a job that is not in the queue is unknown. */
async function askAccounting(
  slurmrestd: Slurmrestd,
  jobs: readonly SubmittedJob[],
  locate: Locate,
): Promise<[SubmittedJob, Observation][]> {
  if (jobs.length === 0) return [];
  const { hasAccounting } = await slurmrestd.discover();
  if (!hasAccounting) return jobs.map((job) => [job, unknown]);
  const byNumber = Map.groupBy(jobs, ({ handle }) => readHandle(handle).number);
  const answers = await mapInParallel(
    [...byNumber].slice(0, maxAccountQuestions),
    width,
    ([number, some]) => observeAccounted(slurmrestd, number, some, locate),
    { stopAtFailure: true },
  );
  return answers.flat();
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
  locate: Locate,
): Promise<[SubmittedJob, Observation][]> {
  try {
    const login = jobs[0]?.login;
    const path = `/job/${encodeURIComponent(number)}`;
    const answer = await slurmrestd.call({ method: 'GET', area: 'slurmdb', path, login });
    const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
    return jobs.flatMap((job): [SubmittedJob, Observation][] => {
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
