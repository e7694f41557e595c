import { batchesSource } from '#lib/events/due-batches-event.ts';
import { workSource } from '#lib/events/due-jobs-event.ts';
import { endsSource } from '#lib/events/ended-jobs-event.ts';
import { eventSource } from '#lib/events/publish-events.ts';
import { chainsSource } from '#lib/events/waiting-jobs-event.ts';
import {
  type BackgroundFunction,
  batchFileUse,
  batchTableUse,
  type ScheduleName,
} from './schedules.ts';

/** A function that receives all events of one source from the bus, at least once. */
export interface Listener extends BackgroundFunction {
  readonly source:
    | typeof eventSource
    | typeof workSource
    | typeof batchesSource
    | typeof endsSource
    | typeof chainsSource;
  /** The schedule that does its work if it fails. Without one, what it cannot handle is kept. */
  readonly takenUpBy?: ScheduleName;
}

/** Lists all functions that the bus calls, for infra, the laptop edition and the tests. */
export const listeners = {
  'hand-over-jobs': {
    file: 'listeners/hand-over-jobs',
    source: workSource,
    takenUpBy: 'track-jobs',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['users', 'budgets', 'simulators', 'systems'],
      appendsTo: ['ledgers'],
      // Finds the owner of a job that AWS Batch has reported.
      queries: ['registry'],
    },
    files: { inputs: ['GetObject'] },
    secrets: true,
    handsOver: true,
    awsBatch: ['DescribeJobs', 'ListJobs', 'SubmitJob', 'TerminateJob'],
  },
  'release-jobs': {
    file: 'listeners/release-jobs',
    source: chainsSource,
    takenUpBy: 'check-waiting',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem'],
      partitions: ['users', 'budgets'],
      appendsTo: ['ledgers'],
      // Results of other jobs are taken over from the systems that keep them.
      looksUp: ['simulators', 'systems'],
    },
    files: {
      inputs: ['DeleteObject', 'GetObject', 'PutObject'],
      results: ['GetObject'],
      buckets: ['GetObject'],
    },
    secrets: true,
    fetches: true,
  },
  'advance-batches': {
    file: 'listeners/advance-batches',
    source: batchesSource,
    takenUpBy: 'attend-batches',
    table: batchTableUse,
    files: batchFileUse,
  },
  'queue-deliveries': {
    file: 'listeners/queue-deliveries',
    source: eventSource,
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['registry', 'users', 'webhooks'],
      // Finds who has active jobs on a system.
      queries: ['due'],
    },
    pushes: true,
    tellsByMail: true,
  },
  'count-ends': {
    file: 'listeners/count-ends',
    source: endsSource,
    table: {
      actions: ['BatchGetItem', 'PutItem', 'UpdateItem'],
      partitions: ['usage', 'spending'],
    },
  },
} as const satisfies Readonly<Record<string, Listener>>;
