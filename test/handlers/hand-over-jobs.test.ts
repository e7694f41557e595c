import { BatchGetCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/listeners/hand-over-jobs.ts';
import { listeners } from '#functions/listeners.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { countCommands, expectUse } from '../fixtures/declared-use.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { hpcOne, jobItem, jobRequestItem, lifeItem } from '../fixtures/samples.ts';
import { sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = useTable();
const life = lifeItem(hpcOne);
const { PK, SK, due_at: dueAt } = life;
const request = jobRequestItem(hpcOne, { input_key: undefined });
const simulated = { PK: 'SIMULATOR#hpc_one', SK: hpcOne.jobId };

beforeEach(() => table.hold(jobItem(hpcOne), life, request));

/** Does with the table what it declares, and nothing else. */
async function run(event: object): Promise<void> {
  const before = countCommands();
  await handler(event, lambdaContext);
  expectUse('hand-over-jobs', listeners['hand-over-jobs'].table, before);
}
const handOver = (due: object[]) =>
  run({ source: 'slipway.work', detail: { hpc: 'hpc_one', due } });

describe('hand-over-jobs', () => {
  it('hands a new job over, without asking the index for it', async () => {
    await handOver([{ PK, SK, dueAt }]);
    expect(table.sent()).not.toContain('Query');
    expect(await table.read(simulated)).toMatchObject({ type: 'simulated-job' });
    expect(await table.read(life)).toMatchObject({ handle: hpcOne.jobId });
  });

  it('leaves alone what somebody else has taken up since', async () => {
    await handOver([{ PK, SK, dueAt: '2019-01-01T00:00:00.000Z' }]);
    expect(await table.read(life)).toEqual(life);
  });

  it('leaves what it cannot hand over to the schedule, while the breaker is open', async () => {
    const open_until = new Date(Date.now() + 30_000).toISOString();
    const breaker = { PK: 'SYSTEM#hpc_one', SK: 'BREAKER', failures: 5, pause_seconds: 30 };
    await table.hold({ ...breaker, open_until });
    await handOver([{ PK, SK, dueAt }]);
    expect(await table.read(life)).toEqual(life);
    expect(await table.read(simulated)).toBeUndefined();
  });

  it('refuses what is not of this kind', async () => {
    await expect(handler({ detail: { hpc: 'hpc_one' } }, lambdaContext)).rejects.toThrow('due');
  });
});

describe('a report of AWS Batch', () => {
  const handle = '4c7599ae-0a82-49aa-ba5a-4727fcce14a8';
  const report = (detail: object) =>
    run({ source: 'aws.batch', 'detail-type': 'Batch Job State Change', detail });
  const later = { ...life, handle, due_at: '2999-01-01T00:00:00.000Z' };
  beforeEach(() => table.hold(later));

  it('lets the job be claimed and checked at once, though it is not due', async () => {
    await report({ jobName: hpcOne.jobId, jobId: handle, status: 'SUCCEEDED' });
    expect(await table.read(life)).not.toEqual(later);
  });

  it.each([
    ['about a job of somebody else', { jobName: 'nightly build', jobId: handle }],
    ['about another container of the job', { jobName: hpcOne.jobId, jobId: 'another' }],
    ['about a job that the registry does not know', { jobName: 'A-1', jobId: handle }],
  ])('%s is ignored', async (_, detail) => {
    await report(detail);
    expect(await table.read(life)).toEqual(later);
  });
});

describe('hand-over-jobs with a mocked table', () => {
  beforeEach(() => {
    table.mock.on(UpdateCommand).resolves({});
    table.mock
      .on(GetCommand)
      .callsFake(({ Key }) => (Key.SK.startsWith('REQUEST#') ? { Item: request } : {}));
    table.mock.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const isLife = RequestItems[tableName].Keys[0].SK.startsWith('LIFE#');
      return { Responses: { [tableName]: [isLife ? life : jobItem(hpcOne)] } };
    });
  });
  const updates = () =>
    sentCommands(table.mock)
      .filter(([name]) => name === 'UpdateCommand')
      .map(([, sent]) => Object(sent));

  it('keeps a job to itself until its own time is over, and a little longer', async () => {
    const before = Date.now();
    await handOver([{ PK, SK, dueAt }]);
    const [{ ExpressionAttributeValues: values }] = updates();
    expect(values[':seen_due_at']).toBe(dueAt);
    const leaseMs = Date.parse(values[':due_at']) - before;
    expect(leaseMs).toBeGreaterThanOrEqual(lambdaContext.getRemainingTimeInMillis() + 10_000);
    expect(leaseMs).toBeLessThan(lambdaContext.getRemainingTimeInMillis() + 40_000);
  });

  it('takes nothing up that is due at another moment', async () => {
    await handOver([{ PK, SK, dueAt: '2019-01-01T00:00:00.000Z' }]);
    expect(updates()).toEqual([]);
  });
});
