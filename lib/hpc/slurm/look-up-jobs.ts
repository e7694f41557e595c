import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Observation, SubmittedJob } from '../connector.ts';
import { readHandle } from './array-tasks.ts';
import { askAccounting, isOwn, type QueuedJob } from './ask-accounting.ts';
import { isAbout, type JobList, type JobRecord, readQueuedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { type KnownObservation, observeJob } from './observe-job.ts';
import { isSuccess, isUnknownJob } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** Up to this number we ask one by one. A list has every user's jobs and costs Slurm 0.2 ms each. */
const maxSingleQuestions = 4;

const width = 4;

export async function lookUpJobs(
  slurmrestd: Slurmrestd,
  jobs: readonly SubmittedJob[],
  locate: (job: SubmittedJob) => string,
): Promise<ReadonlyMap<string, Observation>> {
  if (jobs.length === 0) return new Map();
  const queue = await readQueue(slurmrestd, jobs);
  const findRecord = indexRecords(queue.jobs);
  const observations = new Map<string, Observation>();
  const missing: SubmittedJob[] = [];
  const queued: QueuedJob[] = [];
  for (const job of jobs) {
    const record = findRecord(job.handle);
    const own = record && isOwn(record, job);
    if (!own && (own === false || queue.complete)) missing.push(job);
    const observation = own ? observeJob(record, locate(job)) : undefined;
    if (!observation || !record) continue;
    observations.set(job.jobId, observation);
    if (knowsMore(observation, job)) queued.push({ job, number: record.number, observation });
  }
  const found = await askAccounting(slurmrestd, { missing, queued, locate });
  return new Map([...observations, ...found]);
}

/** Tells whether the accounting knows more: what an ended job used, or runs that are not known yet. */
function knowsMore(
  seen: KnownObservation,
  { knownRuns = 0 }: Pick<SubmittedJob, 'knownRuns'>,
): boolean {
  const earlierRuns = (seen.run ?? 1) - 1;
  if (seen.state === 'living') return earlierRuns > knownRuns;
  return earlierRuns > 0 || (seen.usedSeconds ?? 0) > 0;
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
