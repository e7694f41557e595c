import { describe, expect, it } from 'vitest';
import { dropCovered, uniteFiles, uniteReads } from '#infra/constructs/functions/declarations.ts';
import type { TableUse } from '#lib/table/table-use.ts';

const reads: TableUse = { actions: ['GetItem', 'Query'], partitions: ['users'] };
const writes: TableUse = { actions: ['GetItem', 'PutItem'], partitions: ['users', 'ledgers'] };
const both: TableUse = {
  actions: ['GetItem', 'Query', 'PutItem'],
  partitions: ['users', 'ledgers'],
};
const counts: TableUse = { actions: ['UpdateItem'], partitions: ['counters'] };

describe('uses of the table', () => {
  it('are dropped where another one holds them', () => {
    expect(dropCovered([reads, both, writes, counts])).toEqual([both, counts]);
  });

  it('stay where two only overlap: together they would allow more than both', () => {
    expect(dropCovered([reads, writes])).toEqual([reads, writes]);
  });

  it('allow the same reads in fewer statements, and leave writes as they are', () => {
    expect(uniteReads([reads, writes, counts])).toEqual([
      { actions: ['PutItem'], partitions: ['users', 'ledgers'] },
      counts,
      { actions: ['GetItem'], partitions: ['users', 'ledgers'] },
      { actions: ['Query'], partitions: ['users'] },
    ]);
  });

  it('are kept once where two are equal', () => {
    expect(dropCovered([reads, { ...reads }, { ...reads }])).toEqual([reads]);
  });
});

describe('uses of files', () => {
  it('are united bucket by bucket, and each action is named once', () => {
    const united = uniteFiles([
      { inputs: ['PutObject', 'GetObject'] },
      {},
      { inputs: ['GetObject'], results: ['DeleteObject'] },
    ]);
    expect(united).toEqual({ inputs: ['GetObject', 'PutObject'], results: ['DeleteObject'] });
  });
});
