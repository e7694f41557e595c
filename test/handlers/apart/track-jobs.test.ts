import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/track-jobs.ts';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import { mockTable, sentCommands } from '#test/fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(UpdateCommand).resolves({});
  table.on(GetCommand).resolves({});
});

const track = (event: unknown) => handler(event, lambdaContext);

/** Asked for what is due; once in a while also for what is due too late. */
function askedShards(moment: '<=' | '>' = '<='): unknown[] {
  return sentCommands(table)
    .filter(([name]) => name === 'QueryCommand')
    .map(([, input]) => Object(input))
    .filter((input) => input.KeyConditionExpression.endsWith(`due_at ${moment} :now`))
    .map((input) => input.ExpressionAttributeValues[':shard'])
    .sort();
}

const numbers = [0, 1, 2, 3];

describe('track-jobs', () => {
  it('asks every shard of its system for what is due, and does nothing where nothing is', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    await track({ hpc: 'hpc_two' });
    expect(askedShards()).toEqual([
      ...numbers.map((number) => `DUE#hpc_two#${number}`),
      ...numbers.map((number) => `DUE#hpc_two#LOOKS#${number}`),
    ]);
  });

  it('asks every shard once, whichever number of runs shares them', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    for (const number of [0, 1, 2]) await track({ hpc: 'hpc_one', run: { number, of: 3 } });
    expect(askedShards()).toHaveLength(8);
    expect(new Set(askedShards()).size).toBe(8);
  });

  it('looks after jobs where none can be handed over, and then says that it failed', async () => {
    table.on(QueryCommand).callsFake(({ ExpressionAttributeValues }) => {
      if (!ExpressionAttributeValues[':shard'].includes('LOOKS')) throw new Error('away');
      return { Items: [] };
    });
    await expect(track({ hpc: 'hpc_one' })).rejects.toThrow('could not be advanced');
    expect(askedShards()).toHaveLength(8);
  });

  it('writes down whether its system answers, and not again with every sweep', async () => {
    vi.resetModules();
    const { handler: fresh } = await import('#functions/schedules/track-jobs.ts');
    table.on(QueryCommand).resolves({ Items: [] });
    for (const hpc of ['hpc_one', 'hpc_two', 'hpc_one']) await fresh({ hpc }, lambdaContext);
    const updates = sentCommands(table).filter(([name]) => name === 'UpdateCommand');
    const written = updates
      .map(([, input]) => Object(input))
      .filter(({ Key }) => Key.SK === 'HEALTH')
      .map(({ Key, ExpressionAttributeValues }) => ({ ...Key, ...ExpressionAttributeValues }));
    expect(written).toMatchObject([
      { PK: 'SYSTEM#hpc_one', ':healthy': true },
      { PK: 'SYSTEM#hpc_two', ':healthy': true },
    ]);
  });

  it('counts the minute once, in the first of the runs that share a system', async () => {
    vi.resetModules();
    const { handler: fresh } = await import('#functions/schedules/track-jobs.ts');
    vi.useFakeTimers({ now: new Date('2026-02-15T08:31:00Z'), toFake: ['Date'] });
    table.on(QueryCommand).resolves({ Items: [] });
    for (const number of [1, 0, 0]) {
      await fresh({ hpc: 'hpc_one', run: { number, of: 2 } }, lambdaContext);
    }
    vi.useRealTimers();
    const days = sentCommands(table)
      .map(([, input]) => Object(input))
      .filter(({ Key }) => Key?.SK.startsWith('DAY#'));
    expect(days).toMatchObject([
      {
        Key: { PK: 'SYSTEM#hpc_one', SK: 'DAY#2026-02-15' },
        ExpressionAttributeValues: { ':counted_at': '2026-02-15T08:31:00.000Z', ':added_up': 1 },
      },
    ]);
  });

  it('looks for jobs from before the clock was set back, and not with every sweep', async () => {
    vi.resetModules();
    const { handler: fresh } = await import('#functions/schedules/track-jobs.ts');
    table.on(QueryCommand).resolves({ Items: [] });
    for (const hpc of ['hpc_one', 'hpc_one']) await fresh({ hpc }, lambdaContext);
    expect(askedShards()).toHaveLength(16);
    expect(askedShards('>')).toEqual([
      ...numbers.map((number) => `DUE#hpc_one#${number}`),
      ...numbers.map((number) => `DUE#hpc_one#LOOKS#${number}`),
    ]);
  });

  it('refuses a call that names no system', async () => {
    await expect(track({ source: 'aws.events' })).rejects.toThrow('hpc');
    await expect(track({ hpc: 'hpc_nine' })).rejects.toThrow('hpc_nine');
  });
});
