import type { FileUse } from '#lib/files/file-use.ts';
import type { TableUse } from '#lib/table/table-use.ts';

/** A function that the clock calls. */
export interface Schedule {
  readonly everyMinutes: number;
  /** Whether it is called for each system, as often at once as the catalog says. */
  readonly perSystem?: boolean;
  /** The file under functions/ that serves it, without its ending. */
  readonly file: string;
  readonly table: TableUse;
  readonly files?: FileUse;
  /** Whether it shows credentials to the HPC systems. */
  readonly secrets?: boolean;
  /** Whether it hands jobs over, each with its passes. */
  readonly handsOver?: boolean;
  /** Whether it sends pushes to the receivers of webhooks. */
  readonly pushes?: boolean;
}

/** The one list of what runs by the clock: infra and the tests read it. */
export const schedules = {
  'track-jobs': {
    everyMinutes: 1,
    perSystem: true,
    file: 'schedules/track-jobs',
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'simulators', 'systems'],
      appendsTo: ['ledgers'],
    },
    files: { inputs: ['GetObject'] },
    secrets: true,
    handsOver: true,
  },
  'deliver-webhooks': {
    everyMinutes: 1,
    file: 'schedules/deliver-webhooks',
    table: {
      actions: ['GetItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'webhooks'],
    },
    pushes: true,
  },
  'measure-queue': {
    everyMinutes: 1,
    file: 'schedules/measure-queue',
    table: { actions: ['Query', 'UpdateItem'], partitions: ['due', 'systems'] },
  },
  // Often, for all quotas that renew in the same night, which are more than one run has time for.
  'attend-quotas': {
    everyMinutes: 5,
    file: 'schedules/attend-quotas',
    table: {
      actions: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users'],
      appendsTo: ['ledgers'],
    },
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
      partitions: ['registry', 'users', 'ledgers', 'systems', 'projects'],
      // How far it has come; of accounts it writes nothing.
      appendsTo: ['systems'],
    },
  },
} as const satisfies Readonly<Record<string, Schedule>>;

export type ScheduleName = keyof typeof schedules;
