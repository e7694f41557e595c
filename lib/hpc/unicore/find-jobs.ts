import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { JobTag, SubmittedJob } from '../connector.ts';
import { SystemBusyError, SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';
import { JobList, readAnswer, readErrorMessage, readHandle, UnicoreJob } from './read-answer.ts';
import type { UnicoreSession } from './session.ts';

export interface FoundJob {
  readonly handle: string;
  readonly job: UnicoreJob;
}

/** The job may not have been started. Then it waits for ever unless we continue it. */
const waiting = new Set(['READY', 'UNDEFINED', 'UNKNOWN']);

export function isStarted({ job }: FoundJob): boolean {
  return !waiting.has(job.status);
}

/**
 * Ignores a job that waits for its start. Otherwise the caller would take it for submitted and never
 * call `submit` again, which continues it.
 */
export async function findStarted(session: UnicoreSession, tag: JobTag) {
  return (await findTagged(session, tag)).find(isStarted)?.handle;
}

/** Finds a job that waits for its start, too, so that it can be cancelled. */
export async function findBegun(session: UnicoreSession, tag: JobTag) {
  const found = await findTagged(session, tag);
  return (found.find(isStarted) ?? found[0])?.handle;
}

export async function readJob(
  session: UnicoreSession,
  handle: string,
): Promise<UnicoreJob | undefined> {
  const answer = await session.call({
    url: addressOfJob(session, handle),
    takesAnswer: noticeNewJob,
  });
  return answer.status === 404 ? undefined : readAnswer(UnicoreJob, answer);
}

/** UNICORE has accepted a job a moment ago and cannot show it yet. */
export class JobNotShownError extends SystemBusyError {
  constructor() {
    super('UNICORE cannot show the job yet.', 2, {
      said: 'The HPC system is still preparing the job.',
    });
  }
}

function noticeNewJob(answer: UpstreamAnswer): boolean {
  const message = answer.status === 500 ? readErrorMessage(answer) : undefined;
  if (message?.includes('ResourceUnknownException')) throw new JobNotShownError();
  return false;
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

export async function findTagged(
  session: UnicoreSession,
  { jobId }: JobTag,
): Promise<readonly FoundJob[]> {
  const found = await readListed(session, { offset: 0, tags: jobId });
  // A system without `tags` lists every job, and we must not start somebody else's.
  return found.filter(({ job }) => job.tags.includes(jobId));
}

/** The length of a page of a list. */
export const pageSize = 200;

/** Reads the jobs of one page of the list, without those that are gone by now. */
export async function readListed(
  session: UnicoreSession,
  { offset, tags }: { readonly offset: number; readonly tags?: string },
): Promise<readonly FoundJob[]> {
  const query = new URLSearchParams({
    offset: String(offset),
    num: String(pageSize),
    ...(tags !== undefined && { tags }),
  });
  const answer = await session.call({ url: `${session.baseUrl}/jobs?${query}` });
  const handles = readAnswer(JobList, answer).jobs.map(readHandle).sort();
  const read = async (handle: string) => {
    const job = await readJob(session, handle);
    return job ? [{ handle, job }] : [];
  };
  return (await mapInParallel(handles, 5, read, { stopAtFailure: true })).flat();
}
