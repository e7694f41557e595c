import { describe, expect, it } from 'vitest';
import { listGrants, type TableUse } from '#lib/table/table-use.ts';

describe('what a use of the table comes to', () => {
  it('is itself where nothing is only appended', () => {
    const use = { actions: ['GetItem', 'PutItem'], partitions: ['users'] } as const;
    expect(listGrants(use)).toEqual([use]);
  });

  it('puts everywhere in one grant, and does nothing else where it only appends', () => {
    const use: TableUse = {
      actions: ['GetItem', 'PutItem', 'UpdateItem'],
      partitions: ['users', 'counters'],
      appendsTo: ['ledgers', 'audit'],
    };
    expect(listGrants(use)).toEqual([
      { actions: ['GetItem', 'UpdateItem'], partitions: ['users', 'counters'] },
      { actions: ['PutItem'], partitions: ['users', 'counters', 'ledgers', 'audit'] },
    ]);
    expect(listGrants({ ...use, actions: ['GetItem'] })).toEqual([
      { actions: ['GetItem'], partitions: ['users', 'counters'] },
      { actions: ['PutItem'], partitions: ['ledgers', 'audit'] },
    ]);
  });

  it('queries everywhere in one grant, and does nothing else where it only queries', () => {
    const use: TableUse = {
      actions: ['GetItem', 'Query'],
      partitions: ['users'],
      appendsTo: ['audit'],
      queries: ['ledgers'],
    };
    expect(listGrants(use)).toEqual([
      { actions: ['GetItem'], partitions: ['users'] },
      { actions: ['PutItem'], partitions: ['audit'] },
      { actions: ['Query'], partitions: ['users', 'ledgers'] },
    ]);
  });

  it('reads single items in one grant, and does nothing else where it only looks up', () => {
    const use: TableUse = {
      actions: ['GetItem', 'UpdateItem'],
      partitions: ['users'],
      looksUp: ['projects'],
    };
    expect(listGrants(use)).toEqual([
      { actions: ['UpdateItem'], partitions: ['users'] },
      { actions: ['GetItem'], partitions: ['users', 'projects'] },
    ]);
    expect(listGrants({ ...use, actions: ['UpdateItem'] })).toEqual([
      { actions: ['UpdateItem'], partitions: ['users'] },
      { actions: ['GetItem'], partitions: ['projects'] },
    ]);
  });

  it('reads several items at once where it looks up, if it does so at all', () => {
    const use: TableUse = {
      actions: ['BatchGetItem', 'DeleteItem'],
      partitions: ['users'],
      looksUp: ['systems'],
    };
    expect(listGrants(use)).toEqual([
      { actions: ['DeleteItem'], partitions: ['users'] },
      { actions: ['GetItem'], partitions: ['systems'] },
      { actions: ['BatchGetItem'], partitions: ['users', 'systems'] },
    ]);
  });
});
