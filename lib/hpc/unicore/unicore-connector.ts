import { addSeconds } from '#lib/time/add-seconds.ts';
import { askForEach } from '../call-upstream.ts';
import type { Connector, Observation, OpenKind, SubmittedJob } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { requireSuccess, type UnicoreJob } from './read-answer.ts';
import { keepSessions, type SessionOptions, type UnicoreSession } from './session.ts';
import { actOnJob, findStartedJob, readOwnJob, submitJob } from './submit-job.ts';
import { listDirectory, openInDirectory } from './working-directory.ts';

export interface UnicoreOptions extends SessionOptions {
  readonly pollFloorSeconds?: number;
  /** Resources that the site asks of every job: Queue, Project, … */
  readonly siteResources?: Readonly<Record<string, string>>;
}

const parallelCalls = 5;

export const open: OpenKind<'unicore'> = (settings, { openCredentials }) =>
  createUnicoreConnector({ ...settings, credentials: openCredentials() });

/** UNICORE's REST interface; `baseUrl` ends with /rest/core. */
export function createUnicoreConnector(options: UnicoreOptions): Connector {
  const { pollFloorSeconds = 30, siteResources = {} } = options;
  const sessionOf = keepSessions(options);
  return {
    pollFloorSeconds,
    // One call per job and five at a time make ten rounds.
    batchSize: 50,
    submit: (order) => submitJob(sessionOf(order.login), order, siteResources),
    findByTag: (tag) => findStartedJob(sessionOf(tag.login), tag),
    lookUp: (jobs) => lookUpJobs(sessionOf, jobs),
    cancel: (job) => cancelJob(sessionOf(job.login), job),
    async listFiles(job) {
      const session = sessionOf(job.login);
      const directory = await findDirectory(session, job);
      return directory === undefined ? [] : listDirectory(session, directory);
    },
    async openFile(job, fileId) {
      const session = sessionOf(job.login);
      const directory = await findDirectory(session, job);
      if (directory === undefined) throw new RemoteFileNotFoundError();
      return openInDirectory(session, directory, fileId);
    },
    async checkHealth() {
      const session = sessionOf(undefined);
      requireSuccess(await session.call({ url: session.baseUrl }));
    },
  };
}

async function lookUpJobs(
  sessionOf: (login: string | undefined) => UnicoreSession,
  jobs: readonly SubmittedJob[],
): Promise<ReadonlyMap<string, Observation>> {
  const answers = await askForEach(jobs, parallelCalls, (job) =>
    readOwnJob(sessionOf(job.login), job),
  );
  const observations = new Map<string, Observation>();
  for (const [{ jobId }, job] of answers) {
    const observation: Observation | undefined = job ? observeJob(job) : { state: 'unknown' };
    if (observation) observations.set(jobId, observation);
  }
  return observations;
}

async function cancelJob(session: UnicoreSession, submitted: SubmittedJob): Promise<void> {
  const job = await readOwnJob(session, submitted);
  if (!job) return;
  const link = job._links['action:abort']?.href;
  const answer = await actOnJob(session, submitted.handle, 'abort', link);
  // The job may disappear between the two calls.
  if (answer.status !== 404) requireSuccess(answer);
}

async function findDirectory(session: UnicoreSession, job: SubmittedJob) {
  return (await readOwnJob(session, job))?._links.workingDirectory?.href;
}

const living = new Set(['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT']);

/** Returns undefined for UNDEFINED, UNKNOWN and new words. */
function observeJob(job: UnicoreJob): Observation | undefined {
  const stage = job.status;
  if (living.has(stage)) return { state: 'living', stage, ...tellReason(job) };
  if (stage !== 'SUCCESSFUL' && stage !== 'FAILED') return undefined;
  const usedSeconds = readSeconds(job.consumedTime.main);
  const endedAt = findEnd(job);
  return {
    state: 'ended',
    stage,
    failed: stage === 'FAILED',
    ...tellReason(job),
    ...(usedSeconds !== undefined && { usedSeconds }),
    ...(endedAt && { endedAt }),
  };
}

/** UNICORE reports no time of the end, so we add the consumed time to the submission. */
function findEnd({ submissionTime, consumedTime }: UnicoreJob): Date | undefined {
  const begin = parseDate(submissionTime);
  const total = readSeconds(consumedTime.total);
  return begin && total !== undefined ? addSeconds(begin, total) : undefined;
}

function tellReason({ statusMessage, exitCode }: UnicoreJob): { reason?: string } {
  const exit = exitCode === '' || exitCode === '0' ? '' : `exit code ${exitCode}`;
  const reason = [statusMessage, exit].filter((part) => part !== '').join(', ');
  return reason === '' ? {} : { reason: reason.slice(0, 500) };
}

/** Reads whole seconds as text, or "N/A". */
function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Parses `2024-10-17T12:00:00+0200`, whose offset lacks the colon that JavaScript wants. */
export function parseDate(text: string): Date | undefined {
  const date = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
