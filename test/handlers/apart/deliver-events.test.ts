import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { schedules } from '#functions/schedules.ts';
import type { SendPush } from '#lib/webhooks/send-push.ts';
import { holdClock } from '#test/fixtures/clock.ts';
import { countCommands, expectUse } from '#test/fixtures/declared-use.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
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

const table = useTable();
const now = '2026-01-02T00:10:00.000Z';
holdClock(now);
const failing = { ...webhookItem, failing_since: '2026-01-01T23:00:00.000Z' };

beforeEach(async () => {
  send.mockReset().mockResolvedValue({ status: 204 });
  await table.hold(webhookItem, deliveryItem);
});

async function run() {
  const before = countCommands();
  await handler();
  expectUse('deliver-events', schedules['deliver-events'].table, before);
}

describe('the schedule deliver-events', () => {
  it('tries what is due, and notes that it arrived', async () => {
    await run();
    expect(send).toHaveBeenCalledOnce();
    expect(await table.read(deliveryItem)).toMatchObject({ state: 'delivered', try_count: 1 });
  });

  it.each([
    { status: 200, after: webhookItem },
    { status: 500, after: failing },
  ])('notes of a receiver that failed before only that it is back: $status', async (example) => {
    await table.hold(failing);
    send.mockResolvedValue({ status: example.status });
    await run();
    expect(await table.read(webhookItem)).toEqual(example.after);
  });

  it('reads what is due of every shard, and scans nothing: on a mocked table', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    await run();
    const asked = table.mock.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
    expect(asked).toMatchObject(
      [0, 1, 2, 3].map((shard) => ({
        IndexName: 'due',
        ExpressionAttributeValues: { ':shard': `DUE#DELIVERIES#${shard}`, ':now': now },
        Limit: 50,
      })),
    );
  });

  it('says of webhooks and of mails why each failed', async () => {
    table.mock.on(GetCommand).rejects(new Error('table is down'));
    await expect(handler()).rejects.toThrow('table is down');
    await table.hold(deliveryItem);
    sendDueMail.mockRejectedValueOnce(new Error('mail is down'));
    const failed = await handler().catch((error: AggregateError) => error.errors);
    expect(failed).toMatchObject([{ message: 'table is down' }, { message: 'mail is down' }]);
  });
});
