import type { Grant } from '#lib/table/table-use.ts';

/** What a function that verifies tokens does with the table where the service gives the numbers. */
export const namingGrants: readonly Grant[] = [
  { actions: ['BatchGetItem', 'GetItem', 'PutItem'], partitions: ['identities'] },
  { actions: ['UpdateItem'], partitions: ['user_counter'] },
];

/** What a function that knows its callers does with the table besides, to hold them back. */
export const countingGrants: readonly Grant[] = [
  { actions: ['UpdateItem'], partitions: ['calls'] },
];
