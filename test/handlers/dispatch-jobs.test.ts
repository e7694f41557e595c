import { BatchGetCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/streams/dispatch-jobs.ts';
import { streams } from '#functions/streams.ts';
import { findUndeclaredCalls } from '../fixtures/declared-use.ts';
import { hpcOne, hpcTwo, jobItem, lifeItem } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

const request = {
  type: 'job-request',
  schema_version: 1,
  program: 'ls -lisa',
  nodes: 2,
  cores_per_node: 6,
  extras: {},
  input_file: 'job_file.zip',
  input_bytes: 0,
  input_sha256: '',
};

beforeEach(() => {
  table.reset();
  table.on(PutCommand).resolves({});
  table
    .on(GetCommand)
    .callsFake(({ Key: { SK } }) => (SK.startsWith('REQUEST#') ? { Item: request } : {}));
  table.on(UpdateCommand).resolves({ Attributes: { ...lifeItem(hpcOne), attempts: 1 } });
  table.on(BatchGetCommand).resolves({ Responses: { [tableName]: [jobItem(hpcOne)] } });
});

function record(item: Record<string, unknown>): DynamoDBRecord {
  return { eventName: 'INSERT', dynamodb: { NewImage: Object(marshall(item)) } };
}

describe('dispatch-jobs', () => {
  it('hands a new job over, without asking the index for it', async () => {
    await handler({ Records: [record(lifeItem(hpcOne))] });
    const sent = sentCommands(table);
    expect(sent.map(([name]) => name)).not.toContain('QueryCommand');
    expect(sent.findLast(([name]) => name === 'PutCommand')).toMatchObject([
      'PutCommand',
      { Item: { PK: 'SIMULATOR#hpc_one', SK: hpcOne.jobId } },
    ]);
    const [take] = sent.filter(([name]) => name === 'UpdateCommand');
    expect(take).toMatchObject([
      'UpdateCommand',
      {
        ExpressionAttributeValues: { ':seen': lifeItem(hpcOne).due_at },
      },
    ]);
  });

  it('puts aside a life that cannot be read, and hands the others over', async () => {
    const damaged = { ...lifeItem(hpcTwo), hpc: 7 };
    await handler({ Records: [record(damaged), record(lifeItem(hpcOne))] });
    expect(sentCommands(table).findLast(([name]) => name === 'PutCommand')).toMatchObject([
      'PutCommand',
      { Item: { PK: 'SIMULATOR#hpc_one', SK: hpcOne.jobId } },
    ]);
  });

  it('does with the table what it declares', async () => {
    await handler({ Records: [record(lifeItem(hpcOne)), record(lifeItem(hpcTwo))] });
    expect(findUndeclaredCalls(streams['dispatch-jobs'].table)).toEqual([]);
    expect(sentCommands(table).length).toBeGreaterThan(5);
  });

  it.each([
    { what: 'is not due yet', item: { ...lifeItem(hpcOne), due_at: '2999-01-01T00:00:00.000Z' } },
    { what: 'has ended', item: { ...lifeItem(hpcOne), due_at: undefined } },
    { what: 'is no life', item: jobItem(hpcOne) },
  ])('leaves alone what $what', async ({ item }) => {
    const known = Object.fromEntries(
      Object.entries(item).filter(([, value]) => value !== undefined),
    );
    await handler({ Records: [record(known), { eventName: 'REMOVE', dynamodb: {} }] });
    expect(sentCommands(table).map(([name]) => name)).not.toContain('UpdateCommand');
  });

  it('leaves what it cannot hand over to the schedule, while the breaker is open', async () => {
    table.on(GetCommand).resolves({
      Item: { failures: 5, open_until: '2999-01-01T00:00:00.000Z', pause_seconds: 30 },
    });
    await handler({ Records: [record(lifeItem(hpcOne))] });
    expect(sentCommands(table).map(([name]) => name)).not.toContain('UpdateCommand');
  });
});
