import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/listeners/hand-over-jobs.ts';
import { listeners } from '#functions/listeners.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { findUndeclaredCalls } from '../fixtures/declared-use.ts';
import { hpcOne, jobItem, lifeItem } from '../fixtures/samples.ts';
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

const { PK, SK, due_at: dueAt } = lifeItem(hpcOne);

beforeEach(() => {
  table.reset();
  table.on(PutCommand).resolves({});
  table
    .on(GetCommand)
    .callsFake(({ Key }) => (Key.SK.startsWith('REQUEST#') ? { Item: request } : {}));
  table.on(UpdateCommand).resolves({});
  table.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const isLife = RequestItems[tableName].Keys[0].SK.startsWith('LIFE#');
    return { Responses: { [tableName]: [isLife ? lifeItem(hpcOne) : jobItem(hpcOne)] } };
  });
});

const handOver = (due: object[]) =>
  handler({ source: 'slipway.work', detail: { hpc: 'hpc_one', due } }, lambdaContext);

const sentNames = () => sentCommands(table).map(([name]) => name);

describe('hand-over-jobs', () => {
  it('hands a new job over, without asking the index for it', async () => {
    await handOver([{ PK, SK, dueAt }]);
    expect(sentNames()).not.toContain('QueryCommand');
    const sent = sentCommands(table);
    expect(sent.findLast(([name]) => name === 'PutCommand')).toMatchObject([
      'PutCommand',
      { Item: { PK: 'SIMULATOR#hpc_one', SK: hpcOne.jobId } },
    ]);
  });

  it('keeps it to itself until its own time is over, and a little longer', async () => {
    const before = Date.now();
    await handOver([{ PK, SK, dueAt }]);
    const [take] = sentCommands(table).filter(([name]) => name === 'UpdateCommand');
    const values = Object(take?.[1]).ExpressionAttributeValues;
    expect(values[':seen_due_at']).toBe(dueAt);
    const leaseMs = Date.parse(values[':due_at']) - before;
    expect(leaseMs).toBeGreaterThanOrEqual(lambdaContext.getRemainingTimeInMillis() + 10_000);
    expect(leaseMs).toBeLessThan(lambdaContext.getRemainingTimeInMillis() + 40_000);
  });

  it('does with the table what it declares', async () => {
    await handOver([{ PK, SK, dueAt }]);
    expect(findUndeclaredCalls(listeners['hand-over-jobs'].table)).toEqual([]);
    expect(sentCommands(table).length).toBeGreaterThan(5);
  });

  it('leaves alone what somebody else has taken up since', async () => {
    await handOver([{ PK, SK, dueAt: '2019-01-01T00:00:00.000Z' }]);
    expect(sentNames()).not.toContain('UpdateCommand');
  });

  it('leaves what it cannot hand over to the schedule, while the breaker is open', async () => {
    const openUntil = new Date(Date.now() + 30_000).toISOString();
    table.on(GetCommand).resolves({
      Item: { failures: 5, open_until: openUntil, pause_seconds: 30 },
    });
    await handOver([{ PK, SK, dueAt }]);
    expect(sentNames()).not.toContain('UpdateCommand');
  });

  it('refuses what is not of this kind', async () => {
    await expect(handler({ detail: { hpc: 'hpc_one' } }, lambdaContext)).rejects.toThrow('due');
  });
});

describe('a report of AWS Batch', () => {
  const handle = '4c7599ae-0a82-49aa-ba5a-4727fcce14a8';
  const report = (detail: object) =>
    handler(
      { source: 'aws.batch', 'detail-type': 'Batch Job State Change', detail },
      lambdaContext,
    );

  beforeEach(() => {
    const life = { ...lifeItem(hpcOne), handle };
    table.on(QueryCommand).resolves({ Items: [{ PK, SK }] });
    table.on(GetCommand).callsFake(({ Key }) => (Key.SK === SK ? { Item: life } : {}));
    table.on(UpdateCommand).resolves({ Attributes: life });
    table.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const isLife = RequestItems[tableName].Keys[0].SK.startsWith('LIFE#');
      return { Responses: { [tableName]: [isLife ? life : jobItem(hpcOne)] } };
    });
  });

  it('lets the job be claimed and checked at once, though it is not due', async () => {
    await report({ jobName: hpcOne.jobId, jobId: handle, status: 'SUCCEEDED' });
    const [claim] = sentCommands(table).filter(([name]) => name === 'UpdateCommand');
    expect(claim).toMatchObject(['UpdateCommand', { Key: { PK, SK } }]);
    expect(Object(claim?.[1]).ExpressionAttributeValues).toMatchObject({ ':seen_due_at': dueAt });
    expect(findUndeclaredCalls(listeners['hand-over-jobs'].table)).toEqual([]);
  });

  it.each([
    ['about a job of somebody else', { jobName: 'nightly build', jobId: handle }],
    ['about another container of the job', { jobName: hpcOne.jobId, jobId: 'another' }],
  ])('%s is ignored', async (_, detail) => {
    await report(detail);
    expect(sentNames()).not.toContain('UpdateCommand');
  });

  it('about a job that the registry does not know is ignored', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    await report({ jobName: hpcOne.jobId, jobId: handle });
    expect(sentNames()).toEqual(['QueryCommand']);
  });
});
