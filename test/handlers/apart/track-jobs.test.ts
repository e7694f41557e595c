import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/track-jobs.ts';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { hpcOne, jobItem, jobRequestItem, lifeItem } from '#test/fixtures/samples.ts';
import { sentCommands } from '#test/fixtures/table-mock.ts';

const table = useTable();
const track = (event: unknown) => handler(event, lambdaContext);

/** As in a new container, which has done nothing yet. */
async function trackAfresh(...events: readonly object[]): Promise<void> {
  vi.resetModules();
  const { handler: fresh } = await import('#functions/schedules/track-jobs.ts');
  for (const event of events) await fresh(event, lambdaContext);
}

/** Asked for what is due; once in a while also for what is due too late. */
function askedShards(moment: '<=' | '>' = '<='): unknown[] {
  return sentCommands(table.mock)
    .filter(([name]) => name === 'QueryCommand')
    .map(([, input]) => Object(input))
    .filter((input) => input.KeyConditionExpression.endsWith(`due_at ${moment} :now`))
    .map((input) => input.ExpressionAttributeValues[':shard'])
    .sort();
}
const shardsOf = (hpc: string) =>
  ['', 'LOOKS#'].flatMap((kind) => [0, 1, 2, 3].map((number) => `DUE#${hpc}#${kind}${number}`));

describe('track-jobs', () => {
  it('hands over what is due in a shard of its system, and nothing of another system', async () => {
    const life = lifeItem(hpcOne);
    await table.hold(jobItem(hpcOne), life, jobRequestItem(hpcOne, { input_key: undefined }));
    await track({ hpc: 'hpc_two' });
    expect(await table.read(life)).toEqual(life);
    await track({ hpc: 'hpc_one' });
    expect(await table.read(life)).toMatchObject({ handle: hpcOne.jobId });
  });

  it('writes down whether its system answers, and not again with every sweep', async () => {
    await trackAfresh({ hpc: 'hpc_one' }, { hpc: 'hpc_two' }, { hpc: 'hpc_one' });
    const health = (await table.list('SYSTEM#')).filter(({ SK }) => SK === 'HEALTH');
    expect(health).toMatchObject([
      { PK: 'SYSTEM#hpc_one', healthy: true },
      { PK: 'SYSTEM#hpc_two', healthy: true },
    ]);
    const written = sentCommands(table.mock).filter(
      ([, sent]) => Object(sent).Key?.SK === 'HEALTH',
    );
    expect(written).toHaveLength(2);
  });

  it('counts the minute once, in the first of the runs that share a system', async () => {
    vi.useFakeTimers({ now: new Date('2026-02-15T08:31:00Z'), toFake: ['Date'] });
    const runs = [1, 0, 0].map((number) => ({ hpc: 'hpc_one', run: { number, of: 2 } }));
    await trackAfresh(...runs).finally(() => vi.useRealTimers());
    expect(await table.read({ PK: 'SYSTEM#hpc_one', SK: 'DAY#2026-02-15' })).toMatchObject({
      counted_at: '2026-02-15T08:31:00.000Z',
      up: 1,
    });
  });

  it('keeps jobs here while their system is paused, and releases them afterwards', async () => {
    const life = lifeItem(hpcOne);
    const maintenance = {
      PK: 'SYSTEM#hpc_one',
      SK: 'MAINTENANCE',
      type: 'system-maintenance',
      schema_version: 1,
      hpc: 'hpc_one',
      revision: 1,
      windows: [
        {
          name: 'pause',
          source: 'administrator',
          from: '2019-01-01T00:00:00.000Z',
          reason: 'Hot.',
        },
      ],
    };
    await table.hold(jobItem(hpcOne), life, jobRequestItem(hpcOne, { input_key: undefined }));
    await table.hold(maintenance);
    await trackAfresh({ hpc: 'hpc_one' });
    expect(await table.read(life)).toMatchObject({ held: true, attempts: 0 });
    const judge_again_since = new Date(Date.now() - 61_000).toISOString();
    await table.hold({ ...maintenance, windows: [], revision: 2, judge_again_since });
    await trackAfresh({ hpc: 'hpc_one' });
    expect(await table.read(life)).toMatchObject({ handle: hpcOne.jobId });
    expect(await table.read(life)).not.toHaveProperty('held');
    expect(await table.read(maintenance)).not.toHaveProperty('judge_again_since');
  });

  it('refuses a call that names no system', async () => {
    await expect(track({ source: 'aws.events' })).rejects.toThrow('hpc');
    await expect(track({ hpc: 'hpc_nine' })).rejects.toThrow('hpc_nine');
  });
});

describe('track-jobs with a mocked table', () => {
  it('asks every shard of its system for what is due, and does nothing where nothing is', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    table.mock.on(UpdateCommand).resolves({});
    await track({ hpc: 'hpc_two' });
    expect(askedShards()).toEqual(shardsOf('hpc_two'));
  });

  it('asks every shard once, whichever number of runs shares them', async () => {
    for (const number of [0, 1, 2]) await track({ hpc: 'hpc_one', run: { number, of: 3 } });
    expect(askedShards()).toEqual(shardsOf('hpc_one'));
  });

  it('looks for jobs from before the clock was set back, and not with every sweep', async () => {
    await trackAfresh({ hpc: 'hpc_one' }, { hpc: 'hpc_one' });
    expect(askedShards()).toHaveLength(16);
    expect(askedShards('>')).toEqual(shardsOf('hpc_one'));
  });

  it('looks after jobs where none can be handed over, and then says that it failed', async () => {
    table.mock.on(QueryCommand).callsFake(({ ExpressionAttributeValues }) => {
      if (!ExpressionAttributeValues[':shard'].includes('LOOKS')) throw new Error('away');
      return { Items: [] };
    });
    await expect(track({ hpc: 'hpc_one' })).rejects.toThrow('could not be advanced');
    expect(askedShards()).toHaveLength(8);
  });
});
