import type { FileUse } from '#lib/files/file-use.ts';
import { dataSteps } from '#lib/table/data-steps.ts';
import { letRewrite, type TableUse } from '#lib/table/table-use.ts';

/** A function that serves no request: a schedule or the bus calls it. */
export interface BackgroundFunction {
  /** The file under functions/, without its extension. */
  readonly file: string;
  readonly table: TableUse;
  readonly files?: FileUse;
  /** Whether it uses the credentials of HPC systems. */
  readonly secrets?: boolean;
  /** Whether it hands over jobs and creates their passes. */
  readonly handsOver?: boolean;
  /** Whether it fetches files for jobs, which takes time and a disk. */
  readonly fetches?: boolean;
  /** Whether it calls the receivers of webhooks. */
  readonly pushes?: boolean;
  /** Whether it knows if the service sends mail. */
  readonly tellsByMail?: boolean;
  /** Whether it sends mail. */
  readonly sendsMail?: boolean;
  /** What it asks of AWS Batch, if the catalog has a system there. */
  readonly awsBatch?: readonly AwsBatchAction[];
}

export type AwsBatchAction =
  | 'DescribeJobQueues'
  | 'DescribeJobs'
  | 'ListJobs'
  | 'SubmitJob'
  | 'TerminateJob';

export interface Schedule extends BackgroundFunction {
  readonly everyMinutes: number;
  /** Whether it is called for each system, with as many parallel runs as the catalog says. */
  readonly perSystem?: boolean;
}

/** Creating, releasing and cancelling the jobs of batches, by the bus or by the clock. */
export const batchTableUse = {
  actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem', 'DeleteItem'],
  partitions: ['users', 'spending', 'budgets'],
  appendsTo: ['ledgers'],
} as const satisfies TableUse;

export const batchFileUse = {
  inputs: ['DeleteObject', 'GetObject'],
  results: ['DeleteObject'],
} as const satisfies FileUse;

/** Lists all scheduled functions, for infra, the laptop edition and the tests. */
export const schedules = {
  'track-jobs': {
    everyMinutes: 1,
    perSystem: true,
    file: 'schedules/track-jobs',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'budgets', 'simulators', 'systems'],
      appendsTo: ['ledgers'],
    },
    files: { inputs: ['GetObject'] },
    secrets: true,
    handsOver: true,
    awsBatch: ['DescribeJobQueues', 'DescribeJobs', 'ListJobs', 'SubmitJob', 'TerminateJob'],
  },
  'check-waiting': {
    everyMinutes: 1,
    file: 'schedules/check-waiting',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'budgets'],
      appendsTo: ['ledgers'],
      // Results of other jobs are taken over from the systems that keep them.
      looksUp: ['simulators', 'systems'],
    },
    files: { inputs: ['DeleteObject', 'GetObject', 'PutObject'], results: ['GetObject'] },
    secrets: true,
  },
  'attend-batches': {
    everyMinutes: 1,
    file: 'schedules/attend-batches',
    table: { ...batchTableUse, partitions: ['due', ...batchTableUse.partitions] },
    files: batchFileUse,
  },
  'deliver-events': {
    everyMinutes: 1,
    file: 'schedules/deliver-events',
    table: {
      actions: ['GetItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'webhooks'],
    },
    pushes: true,
    tellsByMail: true,
    sendsMail: true,
  },
  'measure-queue': {
    everyMinutes: 1,
    file: 'schedules/measure-queue',
    table: letRewrite(
      { actions: ['GetItem', 'Query', 'UpdateItem'], partitions: ['due', 'systems', 'data'] },
      dataSteps,
    ),
  },
  // Runs often, because many quotas renew in the same night and one run cannot process all.
  'attend-quotas': {
    everyMinutes: 5,
    file: 'schedules/attend-quotas',
    table: {
      actions: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'budgets'],
      // Closes months, and stores how far leaders have been told of them.
      appendsTo: ['ledgers', 'statements', 'systems'],
      looksUp: ['systems'],
      queries: ['ledgers', 'projects', 'registry', 'statements'],
    },
    tellsByMail: true,
  },
  'remove-uploads': {
    everyMinutes: 60,
    file: 'schedules/remove-uploads',
    table: {
      actions: ['DeleteItem', 'GetItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users'],
    },
    files: { inputs: ['DeleteObject'], results: ['DeleteObject'] },
  },
  'reconcile-accounts': {
    everyMinutes: 24 * 60,
    file: 'schedules/reconcile-accounts',
    table: {
      actions: ['GetItem', 'Query'],
      partitions: ['registry', 'users', 'budgets', 'ledgers', 'systems', 'projects'],
      // Stores its progress. It never writes to accounts.
      appendsTo: ['systems'],
    },
  },
} as const satisfies Readonly<Record<string, Schedule>>;

export type ScheduleName = keyof typeof schedules;

export const scheduleNames = Object.keys(schedules).filter(
  (name): name is ScheduleName => name in schedules,
);
