import { call } from './call.ts';
import { operationTable } from './generated/operation-table.ts';
import type { Job, Operations } from './generated/operations.ts';
import type { Settings } from './settings.ts';
import { type Submission, submit } from './submit.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** A client of the service: a method for each operation, and what takes several of them. */
export interface Slipway extends Operations {
  /** Submits a job, once, however often its request must be sent. */
  submit(submission: Submission): Promise<Job>;
  /** Waits until a job has ended. */
  waitFor(job: Job, options?: WaitOptions): Promise<Job>;
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
    waitFor: (job: Job, options?: WaitOptions) => waitFor(settings, job, options),
  };
  assertClient(client);
  return client;
}

/** The table and the types are made of the same document, by the same tool. */
function assertClient(client: object): asserts client is Slipway {
  if (!('listJobs' in client)) throw new Error('The client has no operations.');
}
