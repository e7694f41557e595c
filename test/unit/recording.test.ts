import {
  BatchGetCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { joinItemUses, listItemUses } from '../recording/list-item-uses.ts';
import { listServiceFiles } from '../recording/list-service-files.ts';

describe('what IAM sees of a command', () => {
  it('of a transaction is each action once, with all partitions that it writes to', () => {
    const TableName = 't';
    const writes = new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: { PK: 'USER#306328', SK: 'a' } } },
        { Update: { TableName, Key: { PK: 'USER#306328', SK: 'b' }, UpdateExpression: '' } },
        { Put: { TableName, Item: { PK: 'LEDGER#306328#hpc_one#spring_2027', SK: 'c' } } },
        { Put: { TableName, Item: { PK: 'USER#306329', SK: 'a' } } },
        { ConditionCheck: { TableName, Key: { PK: 'COUNTER#quota' }, ConditionExpression: '' } },
      ],
    });
    expect(joinItemUses(listItemUses(writes))).toEqual([
      { action: 'PutItem', partitions: ['LEDGER#0#hpc_one#0', 'USER#0'] },
      { action: 'UpdateItem', partitions: ['USER#0'] },
      { action: 'ConditionCheckItem', partitions: ['COUNTER#quota'] },
    ]);
  });

  it('of a query is its index and the partition there', () => {
    const query = new QueryCommand({
      TableName: 't',
      IndexName: 'due',
      KeyConditionExpression: 'due = :shard AND due_at <= :now',
      ExpressionAttributeValues: { ':now': '2026', ':shard': 'DUE#hpc_one#3' },
    });
    expect(joinItemUses(listItemUses(query))).toEqual([
      { action: 'Query', index: 'due', partitions: ['DUE#hpc_one#0'] },
    ]);
  });

  it('of a batch is all that it reads', () => {
    const Keys = [{ PK: 'USER#1' }, { PK: 'SYSTEM#hpc_one' }, { PK: 'USER#2' }];
    const batch = new BatchGetCommand({ RequestItems: { t: { Keys } } });
    expect(joinItemUses(listItemUses(batch))).toEqual([
      { action: 'BatchGetItem', partitions: ['SYSTEM#hpc_one', 'USER#0'] },
    ]);
  });

  it('of anything else is its name, and no partition', () => {
    const scan = new ScanCommand({ TableName: 't' });
    expect(joinItemUses(listItemUses(scan))).toEqual([{ action: 'Scan', partitions: [] }]);
  });
});

describe('the files of the service that a call went through', () => {
  it.each([
    {
      what: 'end where a test begins',
      stack: ['lib/table/transaction.ts', 'lib/quotas/a.ts', 'test/a.ts', 'lib/jobs/b.ts'],
      files: ['lib/quotas/a.ts', 'lib/table/transaction.ts'],
    },
    { what: 'are none of a test’s own call', stack: ['test/a.ts', 'lib/jobs/b.ts'], files: [] },
    {
      what: 'are none where a test uses the table itself',
      stack: ['lib/table/transaction.ts', 'test/a.ts'],
      files: [],
    },
    {
      what: 'are none of a tool',
      stack: ['lib/quotas/a.ts', 'tools/transfer/import.ts'],
      files: [],
    },
  ])('$what', ({ stack, files }) => {
    expect(listServiceFiles(stack)).toEqual(files);
  });
});
