import type { Grant } from '#lib/table/table-use.ts';

/** What a function that knows its callers does with the table besides, to hold them back. */
export const countingGrants: readonly Grant[] = [
  { actions: ['UpdateItem'], partitions: ['calls'] },
];
