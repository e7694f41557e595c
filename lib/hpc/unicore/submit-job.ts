import type { JobOrder } from '../connector.ts';
import { JobRefusedError, SystemBusyError } from '../errors.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';
import { describeJob, needsUpload, type UnicoreSite } from './describe-job.ts';
import { addressOfJob, findTagged, isStarted, readJob } from './find-jobs.ts';
import { readErrorMessage, readHandle, requireSuccess, type UnicoreJob } from './read-answer.ts';
import { AccountRefusedError, type UnicoreSession } from './session.ts';
import { uploadInput } from './working-directory.ts';

/** Statuses that blame the job. Any other refusal blames the set-up. */
const faultsOfTheJob = [400, 413, 422];

/**
 * Hands a job over. One call is enough for a job without an upload. Otherwise continues what an
 * earlier try left, because the answer to each call may be lost.
 */
export async function submitJob(
  session: UnicoreSession,
  order: JobOrder,
  site: UnicoreSite,
): Promise<string> {
  const description = describeJob(order, site);
  const begun = order.isFirst ? [] : await findTagged(session, order);
  const started = begun.find(isStarted);
  if (started) return started.handle;
  const [found] = begun;
  const handle = found?.handle ?? (await createJob(session, description));
  if (!found && !needsUpload(order, site)) return handle;
  await startJob(
    session,
    { handle, job: found?.job ?? (await readJob(session, handle)) },
    order,
    site,
  );
  return handle;
}

/** Fails a job whose account the site does not allow, instead of trying it for ever. */
export async function refuseWithAccount<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof AccountRefusedError ? new JobRefusedError(error.message) : error;
  }
}

async function createJob(session: UnicoreSession, description: object): Promise<string> {
  const answer = await session.call({
    url: `${session.baseUrl}/jobs`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(description),
    takesAnswer: noticeStart,
  });
  if (faultsOfTheJob.includes(answer.status)) {
    throw new JobRefusedError(readErrorMessage(answer) ?? 'The system refused the job.');
  }
  requireSuccess(answer);
  return readHandle(answer.headers.get('location'));
}

const startSeconds = 10;

/** A server that has just started accepts jobs a moment later, and answers 401 until then. */
function noticeStart(answer: UpstreamAnswer): boolean {
  const message = answer.status === 401 ? readErrorMessage(answer) : undefined;
  if (!message?.includes('no accessible targetsystem factories')) return false;
  throw new SystemBusyError('UNICORE has no target system yet.', startSeconds, {
    said: 'The HPC system has just started and accepts no jobs yet.',
  });
}

async function startJob(
  session: UnicoreSession,
  { handle, job }: { readonly handle: string; readonly job: UnicoreJob | undefined },
  order: JobOrder,
  site: UnicoreSite,
): Promise<void> {
  const links = job?._links;
  if (order.input && needsUpload(order, site)) {
    await uploadInput(session, links?.workingDirectory?.href, order.input);
  }
  requireSuccess(await actOnJob(session, handle, 'start', links?.['action:start']?.href));
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
