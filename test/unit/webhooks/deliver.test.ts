import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { openTable } from '#lib/table/table.ts';
import { deliverDue } from '#lib/webhooks/deliveries/deliver.ts';
import { readDeliveries } from '#lib/webhooks/deliveries/delivery-store.ts';
import { listWebhooks } from '#lib/webhooks/webhook-store.ts';
import { userId } from '#test/fixtures/names.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);
const shards = 4;
const start = new Date('2026-01-01T00:00:00Z');
const due = { PK: 'WEBHOOK#w', SK: 'e', due_at: start.toISOString() };

beforeEach(() => mock.reset());

const countLooks = () => mock.commandCalls(QueryCommand).length / shards;
const send = () => Promise.reject(new Error('Nothing is sent here.'));

describe('a sweep over deliveries', () => {
  it('reads once if nothing is due', async () => {
    mock.on(QueryCommand).resolves({ Items: [] });
    await deliverDue(table, { send });
    expect(countLooks()).toBe(1);
  });

  it('reads ten times if others have claimed everything in the index', async () => {
    mock.on(QueryCommand).resolves({ Items: [due] });
    const taken = new ConditionalCheckFailedException({ $metadata: {}, message: 'taken' });
    mock.on(UpdateCommand).rejects(taken);
    await deliverDue(table, { send, now: () => start });
    expect(countLooks()).toBe(10);
  });

  it('stops reading after 40 seconds', async () => {
    let now = start;
    mock.on(QueryCommand).callsFake(() => {
      now = new Date(now.getTime() + 10_000 / shards);
      return { Items: [due] };
    });
    mock.on(UpdateCommand).callsFake(() => {
      throw new ConditionalCheckFailedException({ $metadata: {}, message: 'taken' });
    });
    await deliverDue(table, { send, now: () => now });
    // The fifth read starts in the fortieth second, and none after it.
    expect(countLooks()).toBe(5);
  });
});

describe('an empty table', () => {
  it('has no webhooks and no deliveries', async () => {
    mock.on(QueryCommand).resolves({});
    expect(await listWebhooks(table, userId('1'))).toEqual([]);
    expect(await readDeliveries(table, 'w', 10)).toEqual({ entries: [], next: undefined });
  });
});
