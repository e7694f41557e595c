import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { roundUp } from '#lib/time/round-up.ts';
import type { JobOrder, JobTag, SubmittedJob } from '../connector.ts';
import { JobRefusedError, SystemUnavailableError } from '../errors.ts';
import { quoteForShell } from '../quote-for-shell.ts';
import {
  JobList,
  readAnswer,
  readErrorMessage,
  readHandle,
  requireSuccess,
  UnicoreJob,
} from './read-answer.ts';
import type { UnicoreSession } from './session.ts';
import { cleanPath, uploadFile } from './working-directory.ts';

interface FoundJob {
  readonly handle: string;
  readonly job: UnicoreJob;
}

/** Statuses that blame the job. Any other refusal blames the set-up. */
const faultsOfTheJob = [400, 413, 422];

/** The job may not have been started. Then it waits for ever unless we continue it. */
const waiting = new Set(['READY', 'UNDEFINED', 'UNKNOWN']);
const isStarted = ({ job }: FoundJob) => !waiting.has(job.status);

/** Continues what an earlier try left, because each of the three calls may be lost. */
export async function submitJob(
  session: UnicoreSession,
  order: JobOrder,
  siteResources: Readonly<Record<string, string>>,
): Promise<string> {
  // Checked first, so that no job waits for ever for input that cannot be sent.
  if (order.input && cleanPath(order.input.fileName) !== order.input.fileName) {
    throw new JobRefusedError('The file name of the input is not allowed.');
  }
  const begun = await findTaggedJobs(session, order);
  const started = begun.find(isStarted);
  if (started) return started.handle;
  const handle = begun[0]?.handle ?? (await createJob(session, order, siteResources));
  await startJob(session, handle, order);
  return handle;
}

/**
 * Ignores a job that waits for its start. Otherwise the caller would take it for submitted and never
 * call `submit` again, which continues it.
 */
export async function findStartedJob(
  session: UnicoreSession,
  tag: JobTag,
): Promise<string | undefined> {
  return (await findTaggedJobs(session, tag)).find(isStarted)?.handle;
}

async function readJob(session: UnicoreSession, handle: string): Promise<UnicoreJob | undefined> {
  const answer = await session.call({ url: addressOfJob(session, handle) });
  return answer.status === 404 ? undefined : readAnswer(UnicoreJob, answer);
}

/**
 * Reads a job, and refuses an answer about somebody else's: a proxy may mix answers up, and a
 * rebuilt server may use an address again. Servers without tags are believed.
 */
export async function readOwnJob(
  session: UnicoreSession,
  { jobId, handle }: SubmittedJob,
): Promise<UnicoreJob | undefined> {
  const job = await readJob(session, handle);
  if (job && job.tags.length > 0 && !job.tags.includes(jobId)) {
    throw new SystemUnavailableError('UNICORE: the answer is about another job.');
  }
  return job;
}

export function addressOfJob({ baseUrl }: UnicoreSession, handle: string): string {
  return `${baseUrl}/jobs/${encodeURIComponent(handle)}`;
}

async function findTaggedJobs(session: UnicoreSession, { jobId }: JobTag): Promise<FoundJob[]> {
  const query = new URLSearchParams({ offset: '0', num: '200', tags: jobId });
  const answer = await session.call({ url: `${session.baseUrl}/jobs?${query}` });
  const handles = readAnswer(JobList, answer).jobs.map(readHandle).sort();
  const find = async (handle: string) => {
    const job = await readJob(session, handle);
    // A system without `tags` lists every job, and we must not start somebody else's.
    return job?.tags.includes(jobId) ? [{ handle, job }] : [];
  };
  return (await mapInParallel(handles, 5, find, { stopAtFailure: true })).flat();
}

async function createJob(
  session: UnicoreSession,
  order: JobOrder,
  siteResources: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await session.call({
    url: `${session.baseUrl}/jobs`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(describeJob(order, siteResources)),
  });
  if (faultsOfTheJob.includes(answer.status)) {
    throw new JobRefusedError(readErrorMessage(answer) ?? 'The system refused the job.');
  }
  requireSuccess(answer);
  return readHandle(answer.headers.get('location'));
}

async function startJob(session: UnicoreSession, handle: string, order: JobOrder): Promise<void> {
  const links = (await readJob(session, handle))?._links;
  const directory = links?.workingDirectory?.href;
  if (directory === undefined) {
    throw new SystemUnavailableError('UNICORE: the job has no working directory yet.');
  }
  if (order.input) {
    await uploadFile(session, directory, order.input.fileName, order.input);
  }
  const answer = await actOnJob(session, handle, 'start', links?.['action:start']?.href);
  requireSuccess(answer);
}

/** Uses the address that all versions have if the job does not offer a link. */
export function actOnJob(
  session: UnicoreSession,
  handle: string,
  action: 'start' | 'abort',
  link: string | undefined,
) {
  return session.call({
    url: link ?? `${addressOfJob(session, handle)}/actions/${action}`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
}

/** Describes a job for UNICORE. `siteResources` are what the site asks of every job. */
export function describeJob(order: JobOrder, siteResources: Readonly<Record<string, string>>) {
  return {
    Name: cleanName(order.title),
    Tags: [order.jobId],
    Executable: '/bin/bash',
    // UNICORE writes the executable and its arguments, joined by blanks and not quoted, as one line
    // of a shell script (XNJS, TSIMessages.insertExecutable). Unquoted, `-c` would take the first
    // word alone, and the rest of the command would be expanded before bash sees it.
    // The variables are part of the command, so that their values are quoted in one known way.
    Arguments: ['-c', quoteForShell(`${exportVariables(order.environment)}${order.program}`)],
    Resources: {
      ...siteResources,
      // Plain seconds are the only form that every version reads alike.
      Runtime: String(roundUp(order.hours * 3600)),
      Nodes: String(order.nodes),
      CPUsPerNode: String(order.coresPerNode),
    },
    // Nothing runs before action:start, so the input arrives first.
    haveClientStageIn: 'true',
  };
}

/** Writes a line for each variable. Values are never expanded by the shell. */
function exportVariables(environment: Readonly<Record<string, string>> = {}): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}=${quoteForShell(value)}\n`)
    .join('');
}

/** UNICORE refuses line breaks, backticks and `$(` in a name; batch systems refuse even more. */
function cleanName(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 100) || 'job';
}
