import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/measure-queue.ts';
import { dataSteps } from '#lib/table/data-steps.ts';
import { submittedAt, systemSamples } from '#test/fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '#test/fixtures/table-mock.ts';

const report = vi.hoisted(() => vi.fn());
vi.mock('#lib/telemetry/metrics.ts', () => ({ reportOldestDue: report }));

const table = mockTable();

beforeEach(() => {
  table.reset();
  report.mockReset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(UpdateCommand).resolves({});
  table.on(GetCommand).resolves({ Item: stepsItem });
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

const stepsItem = { type: 'data_steps', schema_version: 1, steps: dataSteps };

/** So many seconds before now. */
function secondsAgo(seconds: number): string {
  return new Date(submittedAt.getTime() - seconds * 1000).toISOString();
}

describe('the schedule measure-queue', () => {
  it('reports 0 for every system where nothing is due', async () => {
    await handler({}, { getRemainingTimeInMillis: () => 30_000 });
    expect(report.mock.calls).toEqual([
      ['hpc_one', 0],
      ['hpc_two', 0],
    ]);
  });

  it('reports the age of the oldest due job over all shards of a system', async () => {
    const oldest: Record<string, number> = {
      'DUE#hpc_one#1': 90,
      'DUE#hpc_one#LOOKS#3': 300,
      'DUE#hpc_two#0': 7,
    };
    table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => {
      const seconds = oldest[values[':shard']];
      return {
        Items:
          seconds === undefined ? [] : [{ PK: 'USER#1', SK: 'JOB#1', due_at: secondsAgo(seconds) }],
      };
    });
    await handler({}, { getRemainingTimeInMillis: () => 30_000 });
    expect(report.mock.calls).toEqual([
      ['hpc_one', 300],
      ['hpc_two', 7],
    ]);
  });

  it('writes down that the service is there, once a minute', async () => {
    const signs = () =>
      sentCommands(table).flatMap(([name, input]) => (name === 'UpdateCommand' ? [input] : []));
    vi.resetModules();
    const { handler: fresh } = await import('#functions/schedules/measure-queue.ts');
    await fresh({}, { getRemainingTimeInMillis: () => 30_000 });
    vi.setSystemTime(submittedAt.getTime() + 59_000);
    await fresh({}, { getRemainingTimeInMillis: () => 30_000 });
    expect(signs()).toMatchObject([
      { Key: { PK: 'SYSTEM#PRESENCE', SK: 'SIGN' } },
      { Key: { PK: 'SYSTEM#PRESENCE', SK: 'SIGN' } },
    ]);
  });

  it('writes down the steps of the data once', async () => {
    table.on(GetCommand).resolves({});
    await handler({}, { getRemainingTimeInMillis: () => 30_000 });
    table.on(GetCommand).resolves({ Item: stepsItem });
    await handler({}, { getRemainingTimeInMillis: () => 30_000 });
    const written = sentCommands(table).filter(
      ([name, input]) => name === 'UpdateCommand' && JSON.stringify(input).includes('SYSTEM#DATA'),
    );
    expect(written).toMatchObject([['UpdateCommand', { Key: { PK: 'SYSTEM#DATA', SK: 'STEPS' } }]]);
    expect(JSON.stringify(written)).toContain('"since":"0.2.0"');
  });

  it('reads one item of each shard that is due, and scans nothing', async () => {
    await handler({}, { getRemainingTimeInMillis: () => 30_000 });
    const numbers = [0, 1, 2, 3];
    const shards = systemSamples.flatMap(({ hpc }) =>
      [hpc, `${hpc}#LOOKS`].flatMap((kind) => numbers.map((number) => `DUE#${kind}#${number}`)),
    );
    const questions = sentCommands(table).filter(([name]) => name === 'QueryCommand');
    expect(questions).toEqual(
      shards.map((shard) => [
        'QueryCommand',
        {
          TableName: tableName,
          IndexName: 'due',
          KeyConditionExpression: '#due = :shard AND due_at <= :now',
          ExpressionAttributeNames: { '#due': 'due' },
          ExpressionAttributeValues: { ':shard': shard, ':now': submittedAt.toISOString() },
          Limit: 1,
        },
      ]),
    );
  });
});
