import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import type { SendPush } from '#lib/webhooks/send-push.ts';
import { countCommands, expectUse } from '#test/fixtures/declared-use.ts';
import { user } from '#test/fixtures/samples.ts';
import { mockTable, sentCommands } from '#test/fixtures/table-mock.ts';
import { busEvent, deliveryItem, secret, webhookId, webhookItem } from '#test/fixtures/webhooks.ts';

const send = vi.hoisted(() => vi.fn<SendPush>());
vi.mock(import('#lib/webhooks/send-push.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  openSender: () => send,
}));
const { handler } = await import('#functions/listeners/queue-deliveries.ts');

const table = mockTable();
const now = new Date('2026-01-02T00:00:01Z');
const { due, ...withoutDue } = deliveryItem;

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [webhookItem] });
  table.on(GetCommand).resolves({ Item: webhookItem });
  table.on(PutCommand).resolves({});
  table.on(UpdateCommand).resolves({ Attributes: { ...deliveryItem, try_count: 1 } });
  send.mockReset().mockResolvedValue({ status: 200 });
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => vi.useRealTimers());

/** As the bus calls it; what it does with the table is held against its declaration. */
async function tell(event: unknown = busEvent) {
  const before = countCommands();
  await handler(event);
  expectUse('queue-deliveries', listeners['queue-deliveries'].table, before);
}

describe('the listener queue-deliveries', () => {
  it('queues a delivery, takes it up, pushes it and notes that it arrived', async () => {
    await tell();
    expect(sentCommands(table)).toMatchObject([
      ['QueryCommand', { ExpressionAttributeValues: { ':user': `USER#${user}` } }],
      [
        'PutCommand',
        {
          Item: { ...withoutDue, due: expect.stringMatching(/^DUE#DELIVERIES#[0-3]$/) },
          ConditionExpression: expect.any(String),
        },
      ],
      [
        'UpdateCommand',
        {
          UpdateExpression: 'SET #due_at = :due_at ADD #try_count :added_try_count',
          ConditionExpression: expect.any(String),
          ExpressionAttributeValues: {
            ':seen_due_at': deliveryItem.due_at,
            ':due_at': '2026-01-02T00:01:01.000Z',
          },
        },
      ],
      ['GetCommand', { Key: { SK: `WEBHOOK#${webhookId}` } }],
      [
        'UpdateCommand',
        {
          UpdateExpression: 'SET #state = :state, #tries = :tries REMOVE #due, #due_at',
          ConditionExpression: expect.any(String),
          ExpressionAttributeValues: {
            ':seen_due_at': '2026-01-02T00:01:01.000Z',
            ':state': 'delivered',
            ':tries': [{ at: now.toISOString(), status: 200, ms: expect.any(Number) }],
          },
        },
      ],
    ]);
    expect(send.mock.calls).toEqual([
      [
        {
          url: webhookItem.url,
          headers: {
            'webhook-id': 'e-1',
            'webhook-timestamp': '1767312001',
            'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
          },
          body: deliveryItem.body,
        },
      ],
    ]);
    expect(JSON.stringify(send.mock.calls)).not.toContain(secret);
  });

  it('leaves what does not arrive for a later try', async () => {
    send.mockResolvedValue({ reason: 'no answer within 10 s' });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await tell();
    vi.restoreAllMocks();
    expect(sentCommands(table).slice(-2)).toMatchObject([
      [
        'UpdateCommand',
        {
          UpdateExpression: 'SET #state = :state, #tries = :tries, #due_at = :due_at',
          ExpressionAttributeValues: {
            ':state': 'waiting',
            ':due_at': '2026-01-02T00:00:06.000Z',
            ':tries': [{ reason: 'no answer within 10 s' }],
          },
        },
      ],
      [
        'UpdateCommand',
        {
          Key: { PK: webhookItem.PK, SK: webhookItem.SK },
          UpdateExpression: 'SET #failing_since = :failing_since',
          ConditionExpression: 'attribute_exists(PK)',
          ExpressionAttributeValues: { ':failing_since': now.toISOString() },
        },
      ],
    ]);
  });

  it('leaves what is for a receiver whose last try failed to the schedule', async () => {
    const failing = { ...webhookItem, failing_since: '2026-01-01T23:00:00.000Z' };
    table.on(QueryCommand).resolves({ Items: [failing] });
    await tell();
    expect(sentCommands(table).map(([name]) => name)).toEqual(['QueryCommand', 'PutCommand']);
    expect(send).not.toHaveBeenCalled();
  });

  it('pushes nothing where the event was told before', async () => {
    table
      .on(PutCommand)
      .rejects(new ConditionalCheckFailedException({ $metadata: {}, message: 'told' }));
    await tell();
    expect(send).not.toHaveBeenCalled();
    expect(table.commandCalls(UpdateCommand)).toEqual([]);
  });

  it.each([
    { why: 'there is no webhook', items: [] },
    { why: 'none wants the event', items: [{ ...webhookItem, events: ['quota.low'] }] },
  ])('queues nothing where $why', async ({ items }) => {
    table.on(QueryCommand).resolves({ Items: items });
    await tell();
    expect(sentCommands(table)).toHaveLength(1);
    expect(send).not.toHaveBeenCalled();
  });

  it('fails for what is no event of ours, so that the bus keeps it', async () => {
    await expect(handler({ ...busEvent, source: 'other' })).rejects.toThrow();
    expect(sentCommands(table)).toEqual([]);
  });
});
