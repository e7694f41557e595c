import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { findUndeclared } from '../fixtures/declared-use.ts';

const get = new GetCommand({ TableName: 't', Key: { PK: 'USER#1', SK: 'PROFILE' } });
const query = new QueryCommand({
  TableName: 't',
  KeyConditionExpression: 'PK = :user AND begins_with(SK, :beginning)',
  ExpressionAttributeValues: { ':beginning': 'JOB#', ':user': 'USER#1' },
});
const transaction = new TransactWriteCommand({
  TransactItems: [
    { Put: { TableName: 't', Item: { PK: 'LEDGER#1', SK: 'x' } } },
    { Update: { TableName: 't', Key: { PK: 'USER#1', SK: 'x' }, UpdateExpression: '' } },
  ],
});

describe('what a function does with the table', () => {
  it('is found undeclared where its route names nothing', () => {
    expect(findUndeclared(get)).toEqual(['GetItem', 'USER#1']);
  });

  it('is found undeclared by action and by partition', () => {
    expect(findUndeclared(query, { actions: ['GetItem'], partitions: ['users'] })).toEqual([
      'Query',
    ]);
    expect(findUndeclared(query, { actions: ['Query'], partitions: ['ledgers'] })).toEqual([
      'USER#1',
    ]);
    expect(findUndeclared(transaction, { actions: ['PutItem'], partitions: ['ledgers'] })).toEqual([
      'UpdateItem',
      'USER#1',
    ]);
  });

  it('is fine where it is declared', () => {
    const use = { actions: ['PutItem', 'UpdateItem'], partitions: ['users', 'ledgers'] } as const;
    expect(findUndeclared(transaction, use)).toEqual([]);
  });

  it('is fine where it only appends, and found where it does more there', () => {
    const use = { actions: ['UpdateItem'], partitions: ['users'] } as const;
    expect(findUndeclared(transaction, { ...use, appendsTo: ['ledgers'] })).toEqual([]);
    expect(findUndeclared(transaction, { ...use, appendsTo: ['audit'] })).toEqual(['LEDGER#1']);
    const none = { actions: [], partitions: [], appendsTo: ['ledgers', 'users'] } as const;
    expect(findUndeclared(transaction, none)).toEqual(['UpdateItem']);
  });
});
