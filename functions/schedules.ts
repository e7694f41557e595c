import type { TableUse } from '../lib/table/table-use.ts';

/** A function that the clock calls. */
export interface Schedule {
  readonly everyMinutes: number;
  /** The file under functions/ that serves it, without its ending. */
  readonly file: string;
  readonly table: TableUse;
  /** Whether it shows credentials to the HPC systems. */
  readonly secrets?: boolean;
}

/** The one list of what runs by the clock: infra and the tests read it. */
export const schedules = {
  'advance-jobs': {
    everyMinutes: 1,
    file: 'schedules/advance-jobs',
    table: {
      actions: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['due', 'users', 'ledgers', 'simulators', 'systems'],
    },
    secrets: true,
  },
  'measure-queue': {
    everyMinutes: 1,
    file: 'schedules/measure-queue',
    table: { actions: ['Query'], partitions: ['due'] },
  },
} as const satisfies Readonly<Record<string, Schedule>>;
