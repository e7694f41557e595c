import type { TableUse } from '#lib/table/table-use.ts';

/** A function that is told of every event on the bus, at least once. */
export interface Listener {
  /** The file under functions/ that serves it, without its ending. */
  readonly file: string;
  readonly table: TableUse;
}

/** The one list of what the bus calls: infra, the laptop edition and the tests read it. */
export const listeners = {
  'queue-deliveries': {
    file: 'listeners/queue-deliveries',
    table: {
      actions: ['GetItem', 'PutItem', 'Query', 'UpdateItem'],
      partitions: ['users', 'webhooks'],
    },
  },
} as const satisfies Readonly<Record<string, Listener>>;
