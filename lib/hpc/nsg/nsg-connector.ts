import * as v from 'valibot';
import type { Connector, JobOrder, OpenKind, SubmittedJob } from '../connector.ts';
import { JobRefusedError } from '../errors.ts';
import { listJobFiles, openJobFile } from './job-files.ts';
import { CallRefusedError } from './judge-refusal.ts';
import { findTaggedJob, lookUpJobs } from './look-up-jobs.ts';
import { JobStatus, readAnswer } from './read-answer.ts';
import { type NsgSession, type NsgSettings, openSession, unlessMissing } from './session.ts';
import { describeJob, writeForm } from './write-form.ts';

export interface NsgOptions extends NsgSettings {
  readonly pollFloorSeconds?: number;
}

export interface NsgConnector extends Connector {
  /** Throws if NSG would refuse the job. Submits nothing. */
  validate(order: JobOrder): Promise<void>;
}

export const open: OpenKind<'nsg'> = (settings, { openCredentials }) =>
  createNsgConnector({ ...settings, credentials: openCredentials() });

/** The Neuroscience Gateway, or any other gateway that speaks the CIPRES REST interface. */
export function createNsgConnector(options: NsgOptions): NsgConnector {
  const { pollFloorSeconds = 60 } = options;
  const session = openSession(options);
  return {
    pollFloorSeconds,
    batchSize: 1000,
    submit: (order) => submitJob(session, order),
    validate: async (order) => void (await sendForm(session, order, '/validate')),
    findByTag: (tag) => findTaggedJob(session, tag),
    lookUp: (jobs) => lookUpJobs(session, jobs),
    cancel: (job) => eraseJob(session, job),
    remove: (job) => eraseJob(session, job),
    listFiles: (job) => listJobFiles(session, job),
    openFile: (job, fileId) => openJobFile(session, job, fileId),
    async checkHealth() {
      await readAnswer(Tools, await session.call({ path: '/tool' }));
    },
  };
}

/** Refuses a proxy's page, which may well parse as XML. */
const Tools = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check((answer) => !('html' in answer)),
);

/** NSG ends a job by erasing it, with its files. */
async function eraseJob(session: NsgSession, { owner, handle }: SubmittedJob): Promise<void> {
  const path = `/${encodeURIComponent(handle)}`;
  await unlessMissing(session.call({ owner, path, method: 'DELETE', plainMissing: true }));
}

/** NSG will never accept this form. */
const badRequest = '7';

async function submitJob(session: NsgSession, order: JobOrder): Promise<string> {
  const answer = await sendForm(session, order, '');
  return (await readAnswer(JobStatus, answer)).jobstatus.jobHandle;
}

async function sendForm(session: NsgSession, order: JobOrder, path: '' | '/validate') {
  const { headers, body } = writeForm(describeJob(order));
  try {
    return await session.call({ owner: order.owner, path, method: 'POST', headers, body });
  } catch (error) {
    if (!(error instanceof CallRefusedError && error.code === badRequest)) throw error;
    throw new JobRefusedError('The system cannot read the form of this job.');
  }
}
