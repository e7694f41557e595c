import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { schedules } from '#functions/schedules.ts';
import type { SendPush } from '#lib/webhooks/send-push.ts';
import { countCommands, expectUse } from '#test/fixtures/declared-use.ts';
import { mockTable, sentCommands, tableName } from '#test/fixtures/table-mock.ts';
import { deliveryItem, webhookItem } from '#test/fixtures/webhooks.ts';

const send = vi.hoisted(() => vi.fn<SendPush>());
vi.mock(import('#lib/webhooks/send-push.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  openSender: () => send,
}));
const sendDueMail = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock(import('#lib/mail/send-due-mail.ts'), () => ({ sendDueMail }));
vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:1');
vi.stubEnv('PASS_SECRET', 'secret');
vi.stubEnv('PUBLIC_URL', 'https://slipway.example.org');
const { handler } = await import('#functions/schedules/deliver-events.ts');

const table = mockTable();
const now = new Date('2026-01-02T00:10:00Z');

beforeEach(() => {
  table.reset();
  const { PK, SK, due_at } = deliveryItem;
  const due = [{ PK, SK, due_at }];
  table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => ({
    Items: values[':shard'] === deliveryItem.due ? due.splice(0) : [],
  }));
  table.on(GetCommand).resolves({ Item: webhookItem });
  table.on(UpdateCommand).resolves({ Attributes: { ...deliveryItem, try_count: 2 } });
  send.mockReset().mockResolvedValue({ status: 204 });
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => vi.useRealTimers());

async function run() {
  const before = countCommands();
  await handler();
  expectUse('deliver-events', schedules['deliver-events'].table, before);
}

const updates = () => table.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input);

describe('the schedule deliver-events', () => {
  it('reads what is due of every shard, scans nothing, and tries it', async () => {
    await run();
    const shards = [0, 1, 2, 3].map((shard) => `DUE#DELIVERIES#${shard}`);
    expect(sentCommands(table).slice(0, 4)).toEqual(
      shards.map((shard) => [
        'QueryCommand',
        {
          TableName: tableName,
          IndexName: 'due',
          KeyConditionExpression: '#due = :shard AND due_at <= :now',
          ExpressionAttributeNames: { '#due': 'due' },
          ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
          Limit: 50,
        },
      ]),
    );
    expect(send).toHaveBeenCalledOnce();
    expect(updates().at(-1)).toMatchObject({
      ExpressionAttributeValues: { ':state': 'delivered' },
    });
  });

  it.each([
    { answer: { status: 200 }, change: 'REMOVE #failing_since' },
    { answer: { status: 500 }, change: undefined },
  ])('notes of a receiver that failed before only that it is back', async ({ answer, change }) => {
    const failing = { ...webhookItem, failing_since: '2026-01-01T23:00:00.000Z' };
    table.on(GetCommand).resolves({ Item: failing });
    send.mockResolvedValue(answer);
    await run();
    const notes = updates().filter(({ Key }) => Key?.PK === webhookItem.PK);
    expect(notes.map(({ UpdateExpression }) => UpdateExpression)).toEqual(change ? [change] : []);
  });

  it('gives up what waits for a webhook that was deleted', async () => {
    table.on(GetCommand).resolves({});
    await run();
    expect(send).not.toHaveBeenCalled();
    expect(updates().at(-1)).toMatchObject({
      UpdateExpression: 'SET #state = :state, #tries = :tries REMOVE #due, #due_at',
      ExpressionAttributeValues: {
        ':state': 'given-up',
        ':tries': [{ at: now.toISOString(), reason: 'the webhook was deleted', ms: 0 }],
      },
    });
  });

  it('fails where the table does, so that somebody hears of it', async () => {
    table.on(GetCommand).rejects(new Error('down'));
    await expect(handler()).rejects.toThrow('down');
  });

  it('says of webhooks and of mails why each failed', async () => {
    table.on(GetCommand).rejects(new Error('table is down'));
    sendDueMail.mockRejectedValueOnce(new Error('mail is down'));
    const failed = await handler().catch((error: AggregateError) => error.errors);
    expect(failed).toMatchObject([{ message: 'table is down' }, { message: 'mail is down' }]);
  });
});
