import { call, type Input, readCsv } from './calls/call.ts';
import type { Paged } from './calls/paged.ts';
import type { CallOptions, Settings } from './calls/settings.ts';
import { operationTable } from './generated/operation-table.ts';
import type {
  AccountRow,
  Batch,
  BatchEstimate,
  Estimate,
  GrantedRow,
  Job,
  Operations,
} from './generated/operations.ts';
import {
  type FileOfJob,
  type FileOfProject,
  type ReadFileOptions,
  readFile,
} from './jobs/read-file.ts';
import type { BatchSubmission, Submission } from './jobs/submission.ts';
import { estimate, submit } from './jobs/submit.ts';
import { type WaitOptions, waitFor } from './jobs/wait-for.ts';
import type { LedgerReader } from './ledger.ts';
import {
  type GrantRow,
  type MappingRow,
  type Rows,
  type RowsOptions,
  sendRows,
} from './rows/send-rows.ts';

type InputOf<Name extends keyof Operations> = Parameters<Operations[Name]>[0];

/** Filters of `listJobs`. */
type JobsFilter = Omit<NonNullable<InputOf<'listJobs'>>, 'batch' | 'hpc' | 'project_name'>;

/** A client of the service: a method for each operation, and a few that combine several. */
export interface Slipway
  extends Omit<Operations, 'readLedger' | 'readLedgerOfUser' | 'readBudgetLedger'> {
  /** Submits a job. Retries never make a second one. */
  submit(submission: Submission): Promise<Job>;
  /** Estimates what a submission would hold. Changes nothing. */
  estimate(submission: Submission): Promise<Estimate>;
  /** Submits many jobs as one batch, with either `count` or `table`. Retries never make a second. */
  submitBatch(batch: BatchSubmission): Promise<Batch>;
  /** Estimates what a batch would hold, and shows its first jobs. Changes nothing. */
  estimateBatch(batch: BatchSubmission): Promise<BatchEstimate>;
  /** Waits until a job, or all jobs of a batch, have ended. */
  waitFor(job: Job, options?: WaitOptions): Promise<Job>;
  waitFor(batch: Batch, options?: WaitOptions<Batch>): Promise<Batch>;
  /** Lists the jobs of a batch, page by page, with the first ones first. */
  jobsOf(batch: Batch, filter?: JobsFilter, options?: CallOptions): Paged<Job>;
  /** Streams a file of a job, or of the folder of a project. */
  readFile(file: FileOfJob | FileOfProject, options?: ReadFileOptions): Promise<Response>;
  /** Lists every change of your quota, newest first. With `sum`, lists sums. */
  readonly readLedger: LedgerReader<InputOf<'readLedger'>>;
  /** Lists every change of a user's quota, newest first. With `sum`, lists sums. */
  readonly readLedgerOfUser: LedgerReader<InputOf<'readLedgerOfUser'>>;
  /** Lists every change of a project's budget, newest first. With `sum`, lists sums. */
  readonly readBudgetLedger: LedgerReader<InputOf<'readBudgetLedger'>>;
  /** Reports what your ended jobs used, as CSV. */
  readUsageAsCsv(input?: InputOf<'readUsage'>, options?: CallOptions): Promise<string>;
  /** Reports what ended jobs used, as CSV with all pages. */
  reportUsageAsCsv(input?: InputOf<'reportUsage'>, options?: CallOptions): Promise<string>;
  /** Reads the statement of a project for a month, as CSV. */
  getStatementAsCsv(input: InputOf<'getStatement'>, options?: CallOptions): Promise<string>;
  /** Grants or corrects many quotas at once, each row by itself. */
  grantQuotas(rows: Rows<GrantRow>, options?: RowsOptions): Promise<GrantedRow[]>;
  /** Enters many accounts at once, each row by itself. */
  mapAccounts(rows: Rows<MappingRow>, options?: RowsOptions): Promise<AccountRow[]>;
}

export function createClient(settings: Settings): Slipway {
  const operations = Object.entries(operationTable).flatMap(([method, paths]) =>
    Object.entries(paths).map(([name, path]) => [
      name,
      (input?: Input, options?: CallOptions) => call(settings, method, path, input, options),
    ]),
  );
  const client = { ...Object.fromEntries(operations), ...createOthers(settings) };
  assertClient(client);
  return client;
}

/** The methods that the table cannot express: bodies other than JSON, and several requests. */
function createOthers(settings: Settings) {
  return {
    submit: (submission: Submission) => submit<Job>(settings, 'jobs', submission),
    estimate: (submission: Submission) => estimate<Estimate>(settings, 'jobs', submission),
    submitBatch: (batch: BatchSubmission) => submit<Batch>(settings, 'batches', batch),
    estimateBatch: (batch: BatchSubmission) => estimate<BatchEstimate>(settings, 'batches', batch),
    waitFor: (made: Job | Batch, options?: WaitOptions<Job | Batch>) =>
      waitFor(settings, made, options),
    jobsOf: ({ batch_id: batch }: Batch, filter?: JobsFilter, options?: CallOptions) =>
      call(settings, 'GET*', '/jobs/', { ...filter, batch }, options),
    readFile: (file: FileOfJob | FileOfProject, options?: ReadFileOptions) =>
      readFile(settings, file, options),
    readUsageAsCsv: (input?: InputOf<'readUsage'>, options?: CallOptions) =>
      readCsv(settings, '/usage/', input, options),
    reportUsageAsCsv: (input?: InputOf<'reportUsage'>, options?: CallOptions) =>
      readCsv(settings, '/admin/reports/usage/', input, options),
    getStatementAsCsv: (input: InputOf<'getStatement'>, options?: CallOptions) =>
      readCsv(settings, '/projects/{hpc}/{project_name}/statement/', input, options),
    grantQuotas: (rows: Rows<GrantRow>, options?: RowsOptions) =>
      sendRows<GrantedRow>(settings, '/admin/quotas/', rows, options),
    mapAccounts: (rows: Rows<MappingRow>, options?: RowsOptions) =>
      sendRows<AccountRow>(settings, '/admin/accounts/', rows, options),
  };
}

type OperationNames = {
  readonly [Method in keyof typeof operationTable]: keyof (typeof operationTable)[Method];
}[keyof typeof operationTable];

/** Does not compile while an operation is missing in the table, or the table has one too many. */
const isComplete: [keyof Operations, OperationNames] extends [OperationNames, keyof Operations]
  ? true
  : never = true;

/** The table has every operation, as checked above; `createOthers` has the other methods. */
function assertClient(client: object): asserts client is Slipway {
  if (!isComplete || !('submit' in client)) throw new TypeError();
}
