import { call } from './calls/call.ts';
import type { CallOptions, Settings } from './calls/settings.ts';
import { operationTable } from './generated/operation-table.ts';
import type { Estimate, Job, Operations } from './generated/operations.ts';
import { type FileOfJob, readFile } from './jobs/read-file.ts';
import type { Submission } from './jobs/submission.ts';
import { estimate, submit } from './jobs/submit.ts';
import { type WaitOptions, waitFor } from './jobs/wait-for.ts';

/** A client of the service: a method for each operation, and what takes several of them. */
export interface Slipway extends Operations {
  /** Submits a job, once, however often its request must be sent. */
  submit(submission: Submission): Promise<Job>;
  /** Says what a submission would hold, and writes nothing. */
  estimate(submission: Submission): Promise<Estimate>;
  /** Waits until a job has ended. */
  waitFor(job: Job, options?: WaitOptions): Promise<Job>;
  /** The bytes of a file that a job has written, as they come. */
  readFile(file: FileOfJob, options?: CallOptions): Promise<Response>;
}

export function createClient(settings: Settings): Slipway {
  const operations = Object.fromEntries(
    Object.entries(operationTable).map(([name, operation]) => [
      name,
      (input?: object, options?: object) => call(settings, operation, { ...input }, options),
    ]),
  );
  const client = {
    ...operations,
    submit: (submission: Submission) => submit(settings, submission),
    estimate: (submission: Submission) => estimate(settings, submission),
    waitFor: (job: Job, options?: WaitOptions) => waitFor(settings, job, options),
    readFile: (file: FileOfJob, options?: CallOptions) => readFile(settings, file, options),
  };
  assertClient(client);
  return client;
}

/** The table and the types are made of the same document, by the same tool. */
function assertClient(client: object): asserts client is Slipway {
  if (!('listJobs' in client)) throw new Error('The client has no operations.');
}
