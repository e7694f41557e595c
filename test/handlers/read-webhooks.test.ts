import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/webhooks/read-webhooks.ts';
import { asUser, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  pathNotFound,
  problem,
  readResponse,
} from '../fixtures/responses.ts';
import { user } from '../fixtures/samples.ts';
import { mockTable, sentCommands, tableName } from '../fixtures/table-mock.ts';
import { deliveryItem, webhookBody, webhookId, webhookItem } from '../fixtures/webhooks.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({ Item: webhookItem });
});

const get = async (path: string, query = '') =>
  readResponse(await call(handler, { path, query, headers: asUser() }));

const webhookNotFound = problem({
  status: 404,
  slug: 'webhook-not-found',
  title: 'Unknown webhook',
  detail: 'Webhook not found. GET /webhooks/ lists yours.',
});

const one = `/webhooks/${webhookId}/`;
const log = `${one}deliveries/`;

const webhookRead = [
  'GetCommand',
  {
    TableName: tableName,
    Key: { PK: `USER#${user}`, SK: `WEBHOOK#${webhookId}` },
    ConsistentRead: true,
  },
];

describe('GET /webhooks/', () => {
  it('lists the caller’s own, the oldest first, without their secrets', async () => {
    const older = { ...webhookItem, webhook_id: 'b', created: '2025-01-01T00:00:00.000Z' };
    table.on(QueryCommand).resolves({ Items: [webhookItem, older] });
    expect(await get('/webhooks/')).toEqual(
      answer(200, [
        { ...webhookBody, webhook_id: 'b', created: '2025-01-01T00:00:00Z' },
        webhookBody,
      ]),
    );
    expect(sentCommands(table)).toEqual([
      [
        'QueryCommand',
        {
          TableName: tableName,
          KeyConditionExpression: 'PK = :user AND begins_with(SK, :webhooks)',
          ExpressionAttributeValues: { ':user': `USER#${user}`, ':webhooks': 'WEBHOOK#' },
          ConsistentRead: true,
        },
      ],
    ]);
  });

  it('takes no parameters', async () => {
    const refused = invalidRequest([
      { location: 'query', name: 'limit', message: 'This path takes no parameters.' },
    ]);
    expect(await get('/webhooks/', 'limit=1')).toEqual(refused);
    expect(await get(one, 'limit=1')).toEqual(refused);
  });
});

describe('GET /webhooks/{webhook_id}/', () => {
  it('shows one, without its secret', async () => {
    expect(await get(one)).toEqual(answer(200, webhookBody));
    expect(sentCommands(table)).toEqual([webhookRead]);
  });

  it('answers 404 for one that is not there, or is somebody else’s', async () => {
    table.on(GetCommand).resolves({});
    expect(await get(one)).toEqual(webhookNotFound);
    expect(await get(log)).toEqual(webhookNotFound);
  });

  it.each(['x', 'A'.repeat(36), 'a'.repeat(2000), '__proto__', '%23', `${webhookId}a`])(
    'answers 404 for the identifier %s, and asks nobody',
    async (id) => {
      expect(await get(`/webhooks/${id}/`)).toEqual(webhookNotFound);
      expect(sentCommands(table)).toEqual([]);
    },
  );

  it.each(['secret', 'delivery', 'DELIVERIES'])('answers 404 below it at %s/', async (view) => {
    expect(await get(`${one}${view}/`)).toEqual(pathNotFound);
    expect(sentCommands(table)).toEqual([]);
  });
});

describe('GET /webhooks/{webhook_id}/deliveries/', () => {
  const failed = { at: '2026-01-02T00:00:01.000Z', reason: 'no answer within 10 s', ms: 10_002 };
  const refused = { at: '2026-01-02T00:01:05.000Z', status: 503, ms: 41 };
  const items = [
    { ...deliveryItem, try_count: 2, tries: [failed, refused] },
    {
      ...deliveryItem,
      event_id: 'e-0',
      state: 'delivered',
      due: undefined,
      due_at: undefined,
      try_count: 1,
      tries: [{ ...refused, status: 204 }],
    },
  ];

  it('shows the log, newest first, and never the secret or the body', async () => {
    table.on(QueryCommand).resolves({ Items: items });
    const shown = { at: '2026-01-02T00:01:05Z', status: 503, reason: null, ms: 41 };
    expect(await get(log)).toEqual(
      answer(200, [
        {
          delivery_id: '1767312000000-e-1',
          event_id: 'e-1',
          type: 'job.ended',
          at: '2026-01-02T00:00:00Z',
          state: 'waiting',
          next_try: '2026-01-02T00:00:01Z',
          tries: [
            {
              at: '2026-01-02T00:00:01Z',
              status: null,
              reason: 'no answer within 10 s',
              ms: 10_002,
            },
            shown,
          ],
        },
        {
          delivery_id: '1767312000000-e-0',
          event_id: 'e-0',
          type: 'job.ended',
          at: '2026-01-02T00:00:00Z',
          state: 'delivered',
          next_try: null,
          tries: [{ ...shown, status: 204 }],
        },
      ]),
    );
    expect(sentCommands(table)).toEqual([
      webhookRead,
      [
        'QueryCommand',
        {
          TableName: tableName,
          KeyConditionExpression: 'PK = :webhook',
          ExpressionAttributeValues: { ':webhook': `WEBHOOK#${webhookId}` },
          ScanIndexForward: false,
          ConsistentRead: true,
          Limit: 101,
        },
      ],
    ]);
  });

  it.each(['1', '100'])('reads as many as limit=%s says', async (limit) => {
    table.on(QueryCommand).resolves({ Items: [] });
    expect(await get(log, `limit=${limit}`)).toEqual(answer(200, []));
    expect(sentCommands(table)[1]).toMatchObject(['QueryCommand', { Limit: Number(limit) + 1 }]);
  });

  it('leads from page to page, and no cursor to the log of another webhook', async () => {
    const places: unknown[] = [];
    table.on(QueryCommand).callsFake(({ ExclusiveStartKey, Limit }) => {
      places.push(ExclusiveStartKey);
      return { Items: (ExclusiveStartKey ? items.slice(1) : items).slice(0, Limit) };
    });
    const first = await get(log, 'limit=1');
    const next = /[?&]cursor=([^&>]+)>; rel="next"$/.exec(String(first.headers?.link))?.[1];
    expect(next).toBeDefined();
    const second = await get(log, `limit=1&cursor=${next}`);
    expect(second.headers).not.toHaveProperty('link');
    expect([first.body, second.body]).toMatchObject([[{ event_id: 'e-1' }], [{ event_id: 'e-0' }]]);
    const { PK, SK } = deliveryItem;
    expect(places).toEqual([undefined, { PK, SK }]);

    const other = webhookId.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    table.on(GetCommand).resolves({ Item: { ...webhookItem, webhook_id: other } });
    expect(await get(log.replace(webhookId, other), `cursor=${next}`)).toMatchObject({
      statusCode: 400,
    });
  });

  it('goes on where the table ends its answer before the page is full', async () => {
    table.on(QueryCommand).resolves({ Items: items, LastEvaluatedKey: { PK: 'x', SK: 'y' } });
    expect((await get(log, 'limit=100')).headers).toHaveProperty('link');
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=', 'limit=1&limit=2', 'cursor=a'])(
    'answers 400 to %s',
    async (query) => {
      expect(await get(log, query)).toMatchObject({ statusCode: 400 });
      expect(table.commandCalls(QueryCommand)).toEqual([]);
    },
  );
});
