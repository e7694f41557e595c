import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import type { SendPush } from '#lib/webhooks/send-push.ts';
import { holdClock } from '#test/fixtures/clock.ts';
import { countCommands, expectUse } from '#test/fixtures/declared-use.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { sentCommands } from '#test/fixtures/table-mock.ts';
import { busEvent, deliveryItem, secret, webhookItem } from '#test/fixtures/webhooks.ts';

const send = vi.hoisted(() => vi.fn<SendPush>());
vi.mock(import('#lib/webhooks/send-push.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  openSender: () => send,
}));
const { handler } = await import('#functions/listeners/queue-deliveries.ts');

const table = useTable();
const now = '2026-01-02T00:00:01.000Z';
holdClock(now);
const { due: _, due_at: __, ...ended } = deliveryItem;
const shard = expect.stringMatching(/^DUE#DELIVERIES#[0-3]$/);

beforeEach(async () => {
  send.mockReset().mockResolvedValue({ status: 200 });
  await table.hold(webhookItem);
});

/** As the bus calls it; what it does with the table is held against its declaration. */
async function tell(event: unknown = busEvent) {
  const before = countCommands();
  await handler(event);
  expectUse('queue-deliveries', listeners['queue-deliveries'].table, before);
}

describe('the listener queue-deliveries', () => {
  it('queues a delivery, takes it up, pushes it, notes that it arrived, and pushes it no second time', async () => {
    await tell();
    const tries = [{ at: now, status: 200, ms: expect.any(Number) }];
    expect(await table.list('WEBHOOK#')).toEqual([
      { ...ended, state: 'delivered', try_count: 1, tries },
    ]);
    expect(table.sent()).toEqual(['Query', 'PutItem', 'UpdateItem', 'GetItem', 'UpdateItem']);
    const headers = {
      'webhook-id': 'e-1',
      'webhook-timestamp': '1767312001',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    };
    const { url } = webhookItem;
    expect(send.mock.calls).toEqual([[{ url, headers, body: deliveryItem.body }]]);
    expect(JSON.stringify(send.mock.calls)).not.toContain(secret);
    await tell();
    expect(send).toHaveBeenCalledOnce();
  });

  it('leaves what does not arrive for a later try', async () => {
    send.mockResolvedValue({ reason: 'no answer within 10 s' });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await tell();
    vi.restoreAllMocks();
    const tries = [{ at: now, reason: 'no answer within 10 s', ms: expect.any(Number) }];
    expect(await table.list('WEBHOOK#')).toEqual([
      { ...ended, due: shard, due_at: '2026-01-02T00:00:06.000Z', try_count: 1, tries },
    ]);
    expect(await table.read(webhookItem)).toEqual({ ...webhookItem, failing_since: now });
  });

  it('queues nothing where none wants the event, or there is no webhook', async () => {
    await table.hold({ ...webhookItem, events: ['quota.low'] });
    await tell();
    await table.drop(webhookItem);
    await tell();
    expect(table.sent()).toEqual(['Query', 'Query']);
    expect(send).not.toHaveBeenCalled();
  });

  it('queues an event of a system for every webhook that wants it', async () => {
    const type = 'system.maintenance-announced';
    const wanting = (webhook_id: string, registry: string, events: readonly string[]) => ({
      ...webhookItem,
      SK: `WEBHOOK#${webhook_id}`,
      webhook_id,
      events,
      registry,
      registry_key: webhook_id,
    });
    await table.hold(
      wanting('a', 'REGISTRY#WEBHOOKS#SYSTEMS', [type]),
      wanting('b', 'REGISTRY#WEBHOOKS', ['request.opened', type]),
      wanting('c', 'REGISTRY#WEBHOOKS', ['request.opened']),
    );
    const { owner: _, ...detail } = busEvent.detail;
    await tell({ ...busEvent, detail: { ...detail, type, data: { hpc: 'hpc_one' } } });
    const queued = await table.list('WEBHOOK#');
    expect(queued.map(({ webhook_id, event_type }) => [webhook_id, event_type])).toEqual([
      ['a', type],
      ['b', type],
    ]);
  });

  it('fails for what is no event of ours, so that the bus keeps it', async () => {
    await expect(handler({ ...busEvent, source: 'other' })).rejects.toThrow();
    expect(table.sent()).toEqual([]);
  });

  it('takes up only what it put, over the moment that it put: on a mocked table', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [webhookItem] });
    table.mock.on(PutCommand).resolves({});
    table.mock.on(UpdateCommand).resolves({ Attributes: { ...deliveryItem, try_count: 1 } });
    await tell();
    const lease = { ':seen_due_at': now, ':due_at': '2026-01-02T00:01:01.000Z' };
    expect(sentCommands(table.mock)[2]).toMatchObject([
      'UpdateCommand',
      { ExpressionAttributeValues: lease },
    ]);
  });
});
