import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/track-jobs.ts';
import { mockTable, sentCommands } from '#test/fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(PutCommand).resolves({});
  table.on(GetCommand).resolves({});
});

describe('track-jobs', () => {
  it('asks every shard of every system for what is due, and does nothing where nothing is', async () => {
    table.on(QueryCommand).resolves({ Items: [] });
    await handler();
    const shards = sentCommands(table)
      .filter(([name]) => name === 'QueryCommand')
      .map(([name, input]) => [name, Object(input).ExpressionAttributeValues[':shard']]);
    expect(shards).toEqual(
      ['hpc_one', 'hpc_two'].flatMap((hpc) =>
        [0, 1, 2, 3].map((shard) => ['QueryCommand', `DUE#${hpc}#${shard}`]),
      ),
    );
  });

  it('sweeps the other system where one fails, and then says that it failed', async () => {
    table.on(QueryCommand).rejectsOnce(new Error('away')).resolves({ Items: [] });
    await expect(handler()).rejects.toThrow('away');
    expect(sentCommands(table).filter(([name]) => name === 'QueryCommand')).toHaveLength(8);
  });

  it('writes down which systems answer, and not again with every sweep', async () => {
    vi.resetModules();
    const { handler: fresh } = await import('#functions/schedules/track-jobs.ts');
    table.on(QueryCommand).resolves({ Items: [] });
    await fresh();
    await fresh();
    const puts = sentCommands(table).filter(([name]) => name === 'PutCommand');
    expect(puts.map(([, input]) => Object(input).Item)).toMatchObject([
      { PK: 'SYSTEM#hpc_one', SK: 'HEALTH', healthy: true },
      { PK: 'SYSTEM#hpc_two', SK: 'HEALTH', healthy: true },
    ]);
  });
});
