import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Observation, SubmittedJob } from '../connector.ts';
import { readHandle } from './array-tasks.ts';
import { askAccounting, isOwn, type QueuedJob } from './ask-accounting.ts';
import { isAbout, type JobList, type JobRecord, readQueuedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { type KnownObservation, observeJob } from './observe-job.ts';
import { isSuccess, isUnknownJob, type SlurmAnswer } from './read-answer.ts';
import type { Slurm } from './slurm.ts';

const width = 4;

export async function lookUpJobs(
  slurm: Slurm,
  jobs: readonly SubmittedJob[],
  locate: (job: SubmittedJob) => string | undefined,
): Promise<ReadonlyMap<string, Observation>> {
  if (jobs.length === 0) return new Map();
  const queue = await readQueue(slurm, jobs);
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
  const found = await askAccounting(slurm, { missing, queued, locate });
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

async function readQueue(slurm: Slurm, jobs: readonly SubmittedJob[]): Promise<JobList> {
  const questions = oneOfEachArray(jobs);
  if (questions.length <= slurm.maxSingleQuestions) return askForEach(slurm, questions);
  const list = await listQueue(slurm);
  const findRecord = indexRecords(list.jobs);
  // Slurm may show users only their own jobs (PrivateData), so we ask again as the job's account.
  const hidden = jobs.filter(
    ({ handle, login }) => login !== undefined && findRecord(handle) === undefined,
  );
  return joinLists([list, await askForEach(slurm, oneOfEachArray(hidden))]);
}

/** Slurm answers a question for an array with all its tasks. */
function oneOfEachArray(jobs: readonly SubmittedJob[]): SubmittedJob[] {
  return [...new Map(jobs.map((job) => [readHandle(job.handle).number, job])).values()];
}

async function askForEach(slurm: Slurm, jobs: readonly SubmittedJob[]): Promise<JobList> {
  const ask = (job: SubmittedJob) => readQueued(slurm, job);
  return joinLists(await mapInParallel(jobs, width, ask, { stopAtFailure: true }));
}

function joinLists(lists: readonly JobList[]): JobList {
  return {
    jobs: lists.flatMap((list) => list.jobs),
    complete: lists.every((list) => list.complete),
  };
}

/** Reads a job, or all tasks of its array. */
export async function readQueued(slurm: Slurm, { handle, login }: SubmittedJob): Promise<JobList> {
  const { number } = readHandle(handle);
  const answer = await slurm.readQueued(number, login);
  if (isUnknownJob(answer)) return { jobs: [], complete: true };
  const { jobs, complete } = readList(readQueuedJobs, answer);
  return { jobs: jobs.filter(({ id }) => readHandle(id).number === number), complete };
}

/** Asks as an account, or as the service. */
export async function listQueue(slurm: Slurm, login?: string): Promise<JobList> {
  return readList(readQueuedJobs, await slurm.listQueue(login));
}

/** Rejects a list with errors. It may lack jobs, and a missing job would count as unknown. */
function readList(read: (content: unknown) => JobList | undefined, answer: SlurmAnswer): JobList {
  const list = isSuccess(answer) ? read(answer.content) : undefined;
  if (list === undefined || (answer.errors ?? []).length > 0) {
    throw reportFailure(answer, 'jobs');
  }
  return list;
}
