import type { Grant } from '#lib/table/table-use.ts';

/** Table access of a function that verifies tokens, if the service assigns user numbers. */
export const namingGrants: readonly Grant[] = [
  { actions: ['BatchGetItem', 'GetItem', 'PutItem'], partitions: ['identities'] },
  { actions: ['UpdateItem'], partitions: ['user_counter'] },
];

/** Table access of a function that limits how often a user may call. */
export const countingGrants: readonly Grant[] = [
  { actions: ['UpdateItem'], partitions: ['calls'] },
];
