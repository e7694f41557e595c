import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Observation, SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { type JobList, type JobRecord, readAccountedJobs, readQueuedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { observeJob } from './observe-job.ts';
import { isSuccess, isUnknownJob } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** Up to this number we ask one by one. A list has every user's jobs and costs Slurm 0.2 ms each. */
const maxSingleQuestions = 4;

/** The most jobs that we look up one by one in the accounting; the rest wait for the next check. */
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
  const byHandle = new Map(queue.jobs.map((record) => [record.id, record]));
  const observations = new Map<string, Observation>();
  const missing: SubmittedJob[] = [];
  for (const job of jobs) {
    const record = byHandle.get(job.handle);
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

/** Rebuilt clusters reuse job numbers, so this checks the name, too. */
function isOwn(record: JobRecord, { jobId }: SubmittedJob): boolean {
  return record.name === jobId;
}

async function readQueue(slurmrestd: Slurmrestd, jobs: readonly SubmittedJob[]): Promise<JobList> {
  if (jobs.length <= maxSingleQuestions) return askForEach(slurmrestd, jobs);
  const list = await listQueue(slurmrestd);
  const listed = new Set(list.jobs.map(({ id }) => id));
  // Slurm may show users only their own jobs (PrivateData), so we ask again as the job's account.
  const hidden = jobs.filter(({ handle, login }) => login !== undefined && !listed.has(handle));
  return joinLists([list, await askForEach(slurmrestd, hidden)]);
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

/** Returns undefined if the queue does not know the job. */
export async function readQueued(
  slurmrestd: Slurmrestd,
  { handle, login }: SubmittedJob,
): Promise<JobList> {
  const path = `/job/${encodeURIComponent(handle)}`;
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
  if (!hasAccounting) return jobs.map((job) => [job, { state: 'unknown' }]);
  const answers = await mapInParallel(
    jobs.slice(0, maxAccountQuestions),
    width,
    async (job): Promise<[SubmittedJob, Observation][]> => {
      const observation = await observeAccounted(slurmrestd, job, locate);
      return observation ? [[job, observation]] : [];
    },
    { stopAtFailure: true },
  );
  return answers.flat();
}

/**
 * Returns no observation without an answer. The accounting may say that a job runs long after the
 * queue lost it ("runaway jobs"), so only an end is believed.
 */
async function observeAccounted(
  slurmrestd: Slurmrestd,
  job: SubmittedJob,
  locate: Locate,
): Promise<Observation | undefined> {
  const path = `/job/${encodeURIComponent(job.handle)}`;
  try {
    const { login } = job;
    const answer = await slurmrestd.call({ method: 'GET', area: 'slurmdb', path, login });
    const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
    const record = list && findLastRun(list.jobs, job);
    if (record === undefined) return list?.complete === false ? undefined : { state: 'unknown' };
    const observation = observeJob(record, locate(job));
    return observation?.state === 'living' ? { state: 'unknown' } : observation;
  } catch (error) {
    if (error instanceof SystemUnavailableError) return undefined;
    throw error;
  }
}

/** A requeued job has one entry per run, in no fixed order. */
function findLastRun(records: readonly JobRecord[], job: SubmittedJob): JobRecord | undefined {
  return records
    .filter((record) => record.id === job.handle && isOwn(record, job))
    .toSorted((one, other) => (one.start ?? 0) - (other.start ?? 0))
    .at(-1);
}
