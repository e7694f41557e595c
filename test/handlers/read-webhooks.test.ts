import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/webhooks/read-webhooks.ts';
import { ask, asUser } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, invalidPart, nextCursor, pathNotFound, refusal } from '../fixtures/responses.ts';
import { otherUser } from '../fixtures/samples.ts';
import { sentCommands } from '../fixtures/table-mock.ts';
import { deliveryItem, webhookBody, webhookId, webhookItem } from '../fixtures/webhooks.ts';

const table = useTable();
beforeEach(() => table.hold(webhookItem));

const get = (path: string, query = '', headers = asUser()) =>
  ask(handler, { path, query, headers });

const webhookNotFound = refusal(404, 'webhook-not-found');

const one = `/webhooks/${webhookId}/`;
const log = `${one}deliveries/`;
/** Another webhook of the caller, whose identifier comes first. */
const otherId = webhookId.replace(/^./, '1');
const older = {
  ...webhookItem,
  SK: `WEBHOOK#${otherId}`,
  webhook_id: otherId,
  created: '2025-01-01T00:00:00.000Z',
};

describe('GET /webhooks/', () => {
  it('lists the caller’s own, the oldest first, without their secrets', async () => {
    await table.hold(older, { ...webhookItem, PK: `USER#${otherUser}`, owner: otherUser });
    const first = { ...webhookBody, webhook_id: otherId, created: '2025-01-01T00:00:00Z' };
    expect(await get('/webhooks/')).toEqual(answer(200, [first, webhookBody]));
    expect(table.sent()).toEqual(['Query']);
  });

  it('takes no parameters', async () => {
    const refused = invalidPart('query', 'limit', 'This path takes no parameters.');
    expect(await get('/webhooks/', 'limit=1')).toEqual(refused);
    expect(await get(one, 'limit=1')).toEqual(refused);
  });
});

describe('GET /webhooks/{webhook_id}/', () => {
  it('shows one, without its secret, or 404: on a mocked table', async () => {
    table.mock.on(GetCommand).resolvesOnce({ Item: webhookItem }).resolves({});
    expect(await get(one)).toEqual(answer(200, webhookBody));
    expect(await get(one)).toMatchObject(webhookNotFound);
    const { PK, SK } = webhookItem;
    const read = ['GetCommand', { Key: { PK, SK }, ConsistentRead: true }];
    expect(sentCommands(table.mock)).toMatchObject([read, read]);
  });

  it('answers 404 for one that is somebody else’s', async () => {
    expect(await get(one, '', asUser(otherUser))).toMatchObject(webhookNotFound);
    expect(await get(log, '', asUser(otherUser))).toMatchObject(webhookNotFound);
  });

  it.each(['x', 'A'.repeat(36), 'a'.repeat(2000), '__proto__', '%23', `${webhookId}a`])(
    'answers 404 for the identifier %s, and asks nobody',
    async (id) => {
      expect(await get(`/webhooks/${id}/`)).toMatchObject(webhookNotFound);
      expect(table.sent()).toEqual([]);
    },
  );

  it.each(['secret', 'delivery', 'DELIVERIES'])('answers 404 below it at %s/', async (view) => {
    expect(await get(`${one}${view}/`)).toEqual(pathNotFound);
    expect(table.sent()).toEqual([]);
  });
});

describe('GET /webhooks/{webhook_id}/deliveries/', () => {
  const failed = { at: '2026-01-02T00:00:01.000Z', reason: 'no answer within 10 s', ms: 10_002 };
  const refused = { at: '2026-01-02T00:01:05.000Z', status: 503, ms: 41 };
  const { due: _, due_at: __, ...ended } = deliveryItem;
  const arrived = {
    ...ended,
    SK: '2026-01-02T00:00:00.000Z#e-0',
    event_id: 'e-0',
    state: 'delivered',
    try_count: 1,
    tries: [{ ...refused, status: 204 }],
  };
  const waiting = { ...deliveryItem, try_count: 2, tries: [failed, refused] };

  it('shows the log, newest first, and never the secret or the body', async () => {
    await table.hold(arrived, waiting);
    const shown = { at: '2026-01-02T00:01:05Z', status: 503, reason: null, ms: 41 };
    const event = { type: 'job.ended', at: '2026-01-02T00:00:00Z' };
    expect(await get(log)).toEqual(
      answer(200, [
        {
          delivery_id: '1767312000000-e-1',
          event_id: 'e-1',
          ...event,
          state: 'waiting',
          next_try: '2026-01-02T00:00:01Z',
          tries: [{ ...failed, at: '2026-01-02T00:00:01Z', status: null }, shown],
        },
        {
          delivery_id: '1767312000000-e-0',
          event_id: 'e-0',
          ...event,
          state: 'delivered',
          next_try: null,
          tries: [{ ...shown, status: 204 }],
        },
      ]),
    );
    expect((await get(log, 'limit=2')).headers).not.toHaveProperty('link');
  });

  it('leads from page to page, and no cursor to the log of another webhook', async () => {
    await table.hold(arrived, waiting, older);
    const first = await get(log, 'limit=1');
    const cursor = nextCursor(first);
    const second = await get(log, `limit=1&cursor=${cursor}`);
    expect(second.headers).not.toHaveProperty('link');
    expect([first.body, second.body]).toMatchObject([[{ event_id: 'e-1' }], [{ event_id: 'e-0' }]]);
    const other = await get(log.replace(webhookId, otherId), `cursor=${cursor}`);
    expect(other.statusCode).toBe(400);
  });

  it('goes on where the table ends its answer before the page is full: on a mocked table', async () => {
    const LastEvaluatedKey = { PK: 'x', SK: 'y' };
    table.mock.on(QueryCommand).resolves({ Items: [waiting], LastEvaluatedKey });
    expect((await get(log, 'limit=100')).headers).toHaveProperty('link');
    expect(sentCommands(table.mock)[1]).toMatchObject(['QueryCommand', { Limit: 101 }]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=1&limit=2', 'cursor=a'])(
    'answers 400 to %s',
    async (query) => {
      expect(await get(log, query)).toMatchObject({ statusCode: 400 });
      expect(table.sent()).not.toContain('Query');
    },
  );
});
