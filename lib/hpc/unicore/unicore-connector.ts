import { shellOf } from '#lib/catalog/hpc-system.ts';
import type { Connector, OpenKind, SubmittedJob } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { imageSiteOf } from '../script/choose-image.ts';
import type { UnicoreSite } from './describe-job.ts';
import { addressOfJob, findBegun, findStarted, readOwnJob } from './find-jobs.ts';
import { listEnded, lookUpJobs } from './look-up-jobs.ts';
import { requireSuccess } from './read-answer.ts';
import { checkClient, keepSessions, type SessionOptions, type UnicoreSession } from './session.ts';
import { actOnJob, refuseWithAccount, submitJob } from './submit-job.ts';
import { listResults, openInDirectory } from './working-directory.ts';

export interface UnicoreOptions extends SessionOptions, UnicoreSite {
  readonly pollFloorSeconds?: number;
}

export const open: OpenKind<'unicore'> = (settings, { system, openCredentials }) =>
  createUnicoreConnector({
    ...settings,
    ...imageSiteOf(system),
    shell: shellOf(system),
    credentials: openCredentials(),
  });

/** UNICORE's REST interface; `baseUrl` ends with /rest/core. */
export function createUnicoreConnector(options: UnicoreOptions): Connector {
  const sessionOf = keepSessions(options);
  return {
    pollFloorSeconds: options.pollFloorSeconds ?? 30,
    // One call per job and five at a time make ten rounds.
    batchSize: 50,
    submit: (order) => refuseWithAccount(submitJob(sessionOf(order.login), order, options)),
    findByTag: (tag) => refuseWithAccount(findStarted(sessionOf(tag.login), tag)),
    findBegun: (tag) => findBegun(sessionOf(tag.login), tag),
    lookUp: (jobs) => lookUpJobs(sessionOf, jobs, options),
    cancel: (job) => cancelJob(sessionOf(job.login), job),
    remove: (job) => removeJob(sessionOf(job.login), job),
    readAccounting: (since) => listEnded(sessionOf(undefined), options, since),
    async listFiles(job) {
      const session = sessionOf(job.login);
      const directory = await findDirectory(session, job);
      return directory === undefined ? [] : listResults(session, directory);
    },
    async openFile(job, fileId) {
      const session = sessionOf(job.login);
      const directory = await findDirectory(session, job);
      if (directory === undefined) throw new RemoteFileNotFoundError();
      return openInDirectory(session, directory, fileId);
    },
    checkHealth: () => checkClient(sessionOf(undefined)),
  };
}

async function cancelJob(session: UnicoreSession, submitted: SubmittedJob): Promise<void> {
  const job = await readOwnJob(session, submitted);
  if (!job) return;
  const link = job._links['action:abort']?.href;
  const answer = await actOnJob(session, submitted.handle, 'abort', link);
  // The job may disappear between the two calls.
  if (answer.status !== 404) requireSuccess(answer);
}

/** Removes a job with its directory. Reads it first, because nothing brings back another's files. */
async function removeJob(session: UnicoreSession, submitted: SubmittedJob): Promise<void> {
  if (!(await readOwnJob(session, submitted))) return;
  const answer = await session.call({
    url: addressOfJob(session, submitted.handle),
    method: 'DELETE',
  });
  if (answer.status !== 404) requireSuccess(answer);
}

async function findDirectory(session: UnicoreSession, job: SubmittedJob) {
  return (await readOwnJob(session, job))?._links.workingDirectory?.href;
}
