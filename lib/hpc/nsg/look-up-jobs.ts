import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { askForEach } from '../call-upstream.ts';
import type { JobTag, Observation, SubmittedJob } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { CallRefusedError, NotKnownError } from './judge-refusal.ts';
import { JobList, JobStatus, type NsgStatus, readAnswer } from './read-answer.ts';
import { type NsgSession, unlessMissing } from './session.ts';

/** About 65 characters per job keep the address below any server's limit. */
const handlesPerCall = 50;
/** NSG allows ten calls at a time, and others may be under way. */
const parallelCalls = 3;

type Observations = Map<string, Observation>;

export async function lookUpJobs(
  session: NsgSession,
  jobs: readonly SubmittedJob[],
): Promise<Observations> {
  const batches = splitIntoBatches(jobs, handlesPerCall);
  const answers = await askForEach(batches, parallelCalls, (batch) => lookUpBatch(session, batch));
  return new Map([...answers.values()].flatMap((observations) => [...observations]));
}

/** One bad handle fails the call for all jobs. Then each is asked for separately. */
async function lookUpBatch(
  session: NsgSession,
  jobs: readonly SubmittedJob[],
): Promise<Observations> {
  try {
    return await lookUpTogether(session, jobs);
  } catch (error) {
    if (!(error instanceof NotKnownError || error instanceof CallRefusedError)) throw error;
    return lookUpSingly(session, jobs);
  }
}

async function lookUpTogether(
  session: NsgSession,
  jobs: readonly SubmittedJob[],
): Promise<Observations> {
  const query = jobs.map(({ handle }) => `jh=${encodeURIComponent(handle)}`).join('&');
  const { joblist } = await readAnswer(JobList, await session.call({ path: `/job/?${query}` }));
  const found = new Map((joblist === '' ? [] : joblist.jobs).map((job) => [job.jobHandle, job]));
  const observations: Observations = new Map();
  for (const { jobId, handle } of jobs) note(observations, jobId, found.get(handle));
  return observations;
}

async function lookUpSingly(
  session: NsgSession,
  jobs: readonly SubmittedJob[],
): Promise<Observations> {
  const answers = await askForEach(jobs, parallelCalls, (job) => readStatus(session, job));
  const observations: Observations = new Map();
  for (const [{ jobId }, status] of answers) {
    if (status) note(observations, jobId, status);
    else observations.set(jobId, { state: 'unknown' });
  }
  return observations;
}

function note(observations: Observations, jobId: string, status: NsgStatus | undefined): void {
  const observation = status && observeJob(status);
  if (observation) observations.set(jobId, observation);
}

export async function readStatus(
  session: NsgSession,
  { owner, handle }: SubmittedJob,
): Promise<NsgStatus | undefined> {
  const call = session.call({ owner, path: `/${encodeURIComponent(handle)}` });
  const answer = await unlessMissing(call);
  const status = answer && (await readAnswer(JobStatus, answer)).jobstatus;
  // A proxy may mix answers up.
  if (status && status.jobHandle !== handle) {
    throw new SystemUnavailableError('NSG: the answer is about another job.');
  }
  return status;
}

/** NSG has no search, so this goes through the user's whole list. */
export async function findTaggedJob(
  session: NsgSession,
  { jobId, owner }: JobTag,
): Promise<string | undefined> {
  const answer = await unlessMissing(session.call({ owner, path: '/?expand=true' }));
  if (!answer) return undefined;
  const { joblist } = await readAnswer(JobList, answer);
  const found = (joblist === '' ? [] : joblist.jobs).find(({ metadata }) =>
    metadata.some(({ key, value }) => key === 'clientJobId' && value === jobId),
  );
  return found?.jobHandle;
}

/**
 * NSG has more words than a catalog lists. Each maps to the last listed one before it, because a job
 * must not seem further than it is, and SUBMITTED counts as running.
 */
const livingStages: Readonly<Record<string, string>> = {
  NEW: 'QUEUE',
  READY: 'QUEUE',
  QUEUE: 'QUEUE',
  INPUTCHECK: 'QUEUE',
  COMMANDRENDERING: 'COMMANDRENDERING',
  INPUTSTAGING: 'INPUTSTAGING',
  SUBMITTING: 'INPUTSTAGING',
  SUBMITTED: 'SUBMITTED',
  LOAD_RESULTS: 'LOAD_RESULTS',
  // NSG's word for the end, but the job has not ended yet.
  COMPLETED: 'LOAD_RESULTS',
  // Words in old records.
  INITIALIZE: 'QUEUE',
  SUBMIT: 'INPUTSTAGING',
  PROCESSING: 'SUBMITTED',
  ERR_LOAD_RESULTS: 'LOAD_RESULTS',
};

const end = 'COMPLETED';

/** Goes by `terminalStage`, because a job can end or fail at any stage. */
function observeJob(job: NsgStatus): Observation | undefined {
  if (job.terminalStage === undefined) return undefined;
  if (job.terminalStage === 'true') return observeEnd(job);
  const stage = livingStages[job.jobStage];
  return stage === undefined ? undefined : { state: 'living', stage, ...tellReason(job) };
}

/** `failed` is about the platform. A program that fails still counts as run. */
function observeEnd(job: NsgStatus): Observation {
  const failed = job.failed === 'true';
  const reached = job.jobStage === end ? end : (livingStages[job.jobStage] ?? end);
  const endedAt = findEnd(job);
  const startedAt = findStart(job);
  return {
    state: 'ended',
    stage: failed ? reached : end,
    failed,
    ...(failed && tellReason(job)),
    ...(startedAt && { startedAt }),
    ...(endedAt && { endedAt }),
    ...(startedAt && endedAt && { usedSeconds: (endedAt.getTime() - startedAt.getTime()) / 1000 }),
  };
}

/** NSG does not tell how long a job ran, but when it was given to a cluster. */
function findStart({ messages }: NsgStatus): Date | undefined {
  const submitted = messages.find(({ stage }) => stage === 'SUBMITTED');
  const at = Date.parse(submitted?.timestamp ?? '');
  return Number.isNaN(at) ? undefined : new Date(at);
}

function findEnd({ messages }: NsgStatus): Date | undefined {
  const times = messages.map(({ timestamp }) => Date.parse(timestamp));
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? undefined : new Date(Math.max(...known));
}

function tellReason({ messages }: NsgStatus): { reason?: string } {
  const text = messages.at(-1)?.text;
  return text ? { reason: text.slice(0, 500) } : {};
}
