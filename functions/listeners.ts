import { workSource } from '#lib/events/due-jobs-event.ts';
import { endsSource } from '#lib/events/ended-jobs-event.ts';
import { eventSource } from '#lib/events/publish-events.ts';
import type { FileUse } from '#lib/files/file-use.ts';
import type { TableUse } from '#lib/table/table-use.ts';

/** A function that receives all events of one source from the bus, at least once. */
export interface Listener {
  /** The file under functions/, without its extension. */
  readonly file: string;
  readonly source: typeof eventSource | typeof workSource | typeof endsSource;
  readonly table: TableUse;
  readonly files?: FileUse;
  /** Whether it uses the credentials of HPC systems. */
  readonly secrets?: boolean;
  /** Whether it hands over jobs and creates their passes. */
  readonly handsOver?: boolean;
  /** Whether it calls the receivers of webhooks. */
  readonly pushes?: boolean;
}

/** Lists all functions that the bus calls, for infra, the laptop edition and the tests. */
export const listeners = {
  'hand-over-jobs': {
    file: 'listeners/hand-over-jobs',
    source: workSource,
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'simulators', 'systems'],
      appendsTo: ['ledgers'],
    },
    files: { inputs: ['GetObject'] },
    secrets: true,
    handsOver: true,
  },
  'queue-deliveries': {
    file: 'listeners/queue-deliveries',
    source: eventSource,
    table: {
      actions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['registry', 'users', 'webhooks'],
    },
    pushes: true,
  },
  'count-ends': {
    file: 'listeners/count-ends',
    source: endsSource,
    table: { actions: ['BatchGetItem', 'PutItem'], partitions: ['usage'] },
  },
} as const satisfies Readonly<Record<string, Listener>>;
