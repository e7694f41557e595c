import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { askForEach } from '../call-upstream.ts';
import type { JobTag, Observation, SubmittedJob } from '../connector.ts';
import { CallRefusedError, NotKnownError } from './judge-refusal.ts';
import { observeJob } from './observe-job.ts';
import { JobList, JobStatus, type NsgStatus, readAnswer } from './read-answer.ts';
import { type NsgSession, unlessMissing } from './session.ts';

/** Some 65 characters each: short enough for any server's limit on an address. */
const handlesPerCall = 50;
/** NSG allows ten calls at a time; others may be on their way. */
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

/** One bad handle fails the call for all: then each is asked for by itself. */
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
  return answer && (await readAnswer(JobStatus, answer)).jobstatus;
}

/** There is no search: the user's whole list, unordered, is looked through. */
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
