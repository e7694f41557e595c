import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/schedules/attend-quotas.ts';
import { schedules } from '#functions/schedules.ts';
import { countCommands, expectUse } from '../fixtures/declared-use.ts';
import { hpcOne, quotaItem } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';

const table = mockTable();
const now = new Date('2027-01-01T00:20:00Z');
const end = '2027-01-01T00:00:00.000Z';
const stored = {
  ...quotaItem(hpcOne, { timeLeft: 1000 }),
  valid_until: end,
  due: 'DUE#EXPIRY#1',
  due_at: end,
};
const { PK, SK } = stored;

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
    Items: values[':shard'] === stored.due ? [{ PK, SK, due: stored.due, due_at: end }] : [],
  }));
  table.on(GetCommand).resolves({ Item: stored });
  table.on(TransactWriteCommand).resolves({});
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => vi.useRealTimers());

async function run() {
  const before = countCommands();
  await handler();
  expectUse('attend-quotas', schedules['attend-quotas'].table, before);
}

const writes = () =>
  table.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input.TransactItems);

describe('the schedule attend-quotas', () => {
  it('reads what is due of every shard, and scans nothing', async () => {
    await run();
    const queries = sentCommands(table).filter(([name]) => name === 'QueryCommand');
    expect(queries.map(([, input]) => input)).toEqual(
      [0, 1, 2, 3].map((shard) => ({
        TableName: tableName,
        IndexName: 'due',
        KeyConditionExpression: '#due = :shard AND due_at <= :now',
        ExpressionAttributeNames: { '#due': 'due' },
        ExpressionAttributeValues: { ':shard': `DUE#EXPIRY#${shard}`, ':now': now.toISOString() },
        Limit: 100,
      })),
    );
  });

  it('takes back what is left of a quota that has ended, and writes it down', async () => {
    await run();
    expect(writes()).toEqual([
      [
        {
          Update: {
            TableName: tableName,
            Key: { PK, SK },
            UpdateExpression:
              'SET #due_at = :due_at ' +
              'ADD #time_granted :added_time_granted, #time_left :added_time_left, ' +
              '#space_granted :added_space_granted, #space_left :added_space_left',
            ConditionExpression: expect.any(String),
            ExpressionAttributeNames: expect.any(Object),
            ExpressionAttributeValues: {
              ':seen_due_at': end,
              ':seen_valid_until': end,
              ':due_at': '2027-01-02T00:20:00.000Z',
              ':added_time_granted': -1000,
              ':added_time_left': -1000,
              ':added_space_granted': -10_000_000,
              ':added_space_left': -10_000_000,
              ':seen_time_left': 1000,
              ':seen_space_left': 10_000_000,
            },
          },
        },
        {
          Put: {
            TableName: tableName,
            Item: {
              PK: 'LEDGER#306328#hpc_one#proj_hpc_one_01',
              SK: '2027-01-01T00:20:00.000Z#expiry#slipway',
              type: 'ledger-line',
              schema_version: 1,
              kind: 'expiry',
              seconds: -1000,
              kilobytes: -10_000_000,
              at: '2027-01-01T00:20:00.000Z',
              by: 'slipway',
              reason: `valid until ${end}`,
            },
            ConditionExpression: expect.any(String),
          },
        },
      ],
    ]);
  });

  it('warns of an end that is near', async () => {
    const item = { ...stored, valid_until: '2027-01-07T22:00:00.000Z' };
    table.on(GetCommand).resolves({ Item: item });
    await run();
    expect(writes()).toMatchObject([
      [
        {
          Update: {
            UpdateExpression: 'SET #expiry_warned = :expiry_warned, #due_at = :due_at',
            ExpressionAttributeValues: {
              ':expiry_warned': 'week',
              ':due_at': '2027-01-06T22:00:00.000Z',
            },
          },
        },
      ],
    ]);
  });

  it('renews a quota whose moment has come, and writes down what lapsed and what was granted', async () => {
    const { valid_until: _, ...endless } = stored;
    const rule = {
      every: 'yearly',
      on: 1,
      month: 1,
      to: { seconds: 5000, kilobytes: 100 },
      carry_over: { seconds: 300, kilobytes: 0 },
    };
    table.on(GetCommand).resolves({ Item: { ...endless, renews: rule, renews_next: end } });
    await run();
    const [update, ...lines] = writes()[0] ?? [];
    expect(update?.Update).toMatchObject({
      UpdateExpression:
        'SET #renews_next = :renews_next, #renewed_at = :renewed_at, #due_at = :due_at, ' +
        '#time_used_before = time_used ' +
        'ADD #time_granted :added_time_granted, #time_left :added_time_left, ' +
        '#space_granted :added_space_granted, #space_left :added_space_left',
      ExpressionAttributeValues: {
        ':seen_due_at': end,
        ':seen_renews_next': end,
        ':seen_renews': rule,
        ':added_time_granted': 5000 - 700,
        ':added_time_left': 5000 - 700,
        ':added_space_granted': 100 - 10_000_000,
        ':added_space_left': 100 - 10_000_000,
        ':seen_time_left': 1000,
        ':seen_space_left': 10_000_000,
        ':renewed_at': end,
        ':renews_next': '2028-01-01T00:00:00.000Z',
        ':due_at': '2027-12-25T00:00:00.000Z',
      },
    });
    const told = { by: 'slipway', reason: 'yearly renewal of 2027-01-01' };
    expect(lines.map((line) => line.Put?.Item)).toMatchObject([
      { kind: 'expiry', seconds: -700, kilobytes: -10_000_000, ...told },
      { kind: 'grant', seconds: 5000, kilobytes: 100, ...told },
    ]);
  });

  it.each([
    { what: 'is gone', Item: undefined },
    { what: 'is not due any more', Item: { ...stored, due_at: '2027-02-01T00:00:00.000Z' } },
  ])('leaves alone what $what: the index lags behind', async ({ Item }) => {
    table.on(GetCommand).resolves(Item ? { Item } : {});
    await run();
    expect(writes()).toEqual([]);
  });

  it('takes it as an answer that the quota was changed meanwhile', async () => {
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    await expect(run()).resolves.toBeUndefined();
  });

  it('goes on after one that fails, and fails then, so that somebody hears of it', async () => {
    table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
      Items:
        values[':shard'] === stored.due
          ? [
              { PK, SK: 'QUOTA#broken', due_at: end },
              { PK, SK, due_at: end },
            ]
          : [],
    }));
    table.on(GetCommand, { Key: { PK, SK: 'QUOTA#broken' } }).resolves({ Item: { type: 'quota' } });
    await expect(handler()).rejects.toThrow('Some due quotas could not be handled');
    expect(writes()).toHaveLength(1);
  });
});
