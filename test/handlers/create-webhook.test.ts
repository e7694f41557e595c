import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/webhooks/create-webhook.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  problem,
  readResponse,
  unauthorized,
} from '../fixtures/responses.ts';
import { submittedAt, user } from '../fixtures/samples.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';
import { deliveryItem, webhookId, webhookItem } from '../fixtures/webhooks.ts';

const table = mockTable();

/** The parts of a write that follow from chance. */
const anyShard = expect.stringMatching(/^DUE#DELIVERIES#[0-3]$/);

beforeEach(() => {
  table.reset();
  table.on(TransactWriteCommand).resolves({});
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Of the caller's own; `request.opened` is for administrators. */
const ownEvents = [
  'job.submitted',
  'job.stage-changed',
  'job.ended',
  'batch.progress',
  'batch.ended',
  'quota.low',
  'quota.expiring',
  'quota.renewing',
  'quota.renewed',
  'request.approved',
  'request.declined',
];

async function post(body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await call(handler, {
    method: 'POST',
    path: '/webhooks/',
    headers: { ...asUser(), 'content-type': 'application/json', ...headers },
    body: Buffer.from(text),
  });
  return readResponse(response);
}

const wrong = (name: string, message: string) =>
  invalidRequest([{ location: 'body', name, message }]);

describe('POST /webhooks/', () => {
  it('answers 201 with the webhook and its secret, and keeps and counts it in one write', async () => {
    const { body, ...rest } = await post({
      url: 'https://app.example.org/hook',
      events: ['job.ended', 'job.submitted', 'job.ended'],
      description: ' the portal ',
    });
    const { webhook_id: id, secret } = Object(body);
    const shown = {
      url: 'https://app.example.org/hook',
      events: ['job.submitted', 'job.ended'],
      description: 'the portal',
    };
    expect({ body, ...rest }).toEqual(
      answer(
        201,
        {
          webhook_id: expect.stringMatching(uuid),
          ...shown,
          created: '2019-02-10T22:40:01Z',
          secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
        },
        { location: `https://slipway.test/webhooks/${id}/` },
      ),
    );
    expect(sentCommands(table)).toEqual([
      [
        'TransactWriteCommand',
        {
          TransactItems: [
            {
              Update: {
                TableName: tableName,
                Key: { PK: `USER#${user}`, SK: 'WEBHOOKS' },
                UpdateExpression:
                  'SET #type = :type, #schema_version = :schema_version ' +
                  'ADD #webhooks :added_webhooks',
                ConditionExpression: expect.any(String),
                ExpressionAttributeNames: expect.any(Object),
                ExpressionAttributeValues: {
                  ':type': 'webhook-count',
                  ':schema_version': 1,
                  ':added_webhooks': 1,
                  ':most': 10,
                },
              },
            },
            {
              Put: {
                TableName: tableName,
                Item: {
                  PK: `USER#${user}`,
                  SK: `WEBHOOK#${id}`,
                  type: 'webhook',
                  schema_version: 1,
                  webhook_id: id,
                  owner: user,
                  ...shown,
                  created: submittedAt.toISOString(),
                  secret,
                },
                ConditionExpression: expect.any(String),
              },
            },
          ],
        },
      ],
    ]);
  });

  it('takes all events and no description where none is named', async () => {
    const { body } = await post({ url: 'https://app.example.org' }, { 'content-type': '' });
    expect(body).toMatchObject({
      url: 'https://app.example.org/',
      events: ownEvents,
      description: '',
    });
  });

  it('tells of new requests only administrators, who are then found by the registry', async () => {
    const wish = { url: 'https://app.example.org/hook', events: ['request.opened'] };
    expect(await post(wish)).toEqual(
      problem({
        status: 403,
        slug: 'event-for-administrators',
        title: 'An event for administrators',
        detail: 'Only administrators can receive request.opened. Remove it from events.',
      }),
    );
    expect(sentCommands(table)).toEqual([]);
    const { statusCode, body } = await post(wish, asAdministrator());
    expect(statusCode).toBe(201);
    const [, { TransactItems = [] } = {}] = Object(sentCommands(table)[0]);
    expect(TransactItems[1].Put.Item).toMatchObject({
      registry: 'REGISTRY#WEBHOOKS',
      registry_key: Object(body).webhook_id,
    });
  });

  it('answers 409 to one more than 10', async () => {
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed]));
    expect(await post({ url: 'https://app.example.org/' })).toEqual(
      problem({
        status: 409,
        slug: 'too-many-webhooks',
        title: 'Webhook limit reached',
        detail: 'You have 10 webhooks, and no more are allowed. Delete one first.',
      }),
    );
  });

  const url = 'https://app.example.org/';
  const known = `Known events: ${[...ownEvents.slice(0, 9), 'request.opened', ...ownEvents.slice(9)].join(', ')}.`;

  it.each([
    { body: '{', name: 'body', message: 'It is not valid JSON.' },
    { body: '', name: 'body', message: 'It is not valid JSON.' },
    { body: [], name: 'body', message: 'It must be a JSON object.' },
    { body: null, name: 'body', message: 'It must be a JSON object.' },
    { body: {}, name: 'url', message: 'This field is required.' },
    { body: { url: 1 }, name: 'url', message: 'It must be text.' },
    { body: { url: null }, name: 'url', message: 'It must be text.' },
    { body: { url: 'nowhere' }, name: 'url', message: 'It is not a valid web address.' },
    {
      body: { url: 'http://a.org/' },
      name: 'url',
      message:
        'It must begin with https://. On a laptop, WEBHOOKS_TO_LOOPBACK=true npm start allows this machine, also over http.',
    },
    {
      body: { url: 'https://169.254.169.254/' },
      name: 'url',
      message: 'Its host is not a public address.',
    },
    {
      body: { url: 'https://localhost:x/' },
      name: 'url',
      message: 'It is not a valid web address.',
    },
    { body: { url, events: 'job.ended' }, name: 'events', message: 'It must be a list.' },
    {
      body: { url, events: [] },
      name: 'events',
      message: `Name at least one event. ${known}`,
    },
    {
      body: { url, events: ['job.ended', 'job.lost'] },
      name: 'events.1',
      message: `Unknown event. ${known}`,
    },
    { body: { url, description: 1 }, name: 'description', message: 'It must be text.' },
    {
      body: { url, description: 'é'.repeat(201) },
      name: 'description',
      message: 'It must have at most 200 characters.',
    },
    ...['\u0000', '\u202e'].map((character) => ({
      body: { url, description: `a${character}b` },
      name: 'description',
      message:
        'It must not contain control characters, marks that change the writing direction, or broken Unicode.',
    })),
    {
      body: { url, secret: 'mine' },
      name: 'secret',
      message: 'Unknown field. Known fields: url, events, description.',
    },
    {
      body: `{"url":"${url}","__proto__":1}`,
      name: '__proto__',
      message: 'Unknown field. Known fields: url, events, description.',
    },
  ])('answers 400 to $body', async ({ body, name, message }) => {
    expect(await post(body)).toEqual(wrong(name, message));
    expect(sentCommands(table)).toEqual([]);
  });

  it('reports all that is wrong at once', async () => {
    expect(await post({ events: [], more: 1 })).toMatchObject({
      statusCode: 400,
      body: { errors: [{ name: 'more' }, { name: 'url' }, { name: 'events' }] },
    });
  });

  it('takes a description of 200 characters, however many bytes they are', async () => {
    expect((await post({ url, description: '🚀'.repeat(200) })).statusCode).toBe(201);
  });

  it('answers 415 to a form, and 413 to what is too long', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await post({ url }, form)).toMatchObject({
      statusCode: 415,
      body: {
        detail: expect.stringContaining("Send JSON, with 'Content-Type: application/json'."),
      },
    });
    expect(await post({ url, description: 'a'.repeat(16_384) })).toMatchObject({ statusCode: 413 });
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 401 without a token', async () => {
    const response = await call(handler, { method: 'POST', path: '/webhooks/' });
    expect(readResponse(response)).toEqual(unauthorized);
  });
});

const send = async (path: string) =>
  readResponse(await call(handler, { method: 'POST', path, headers: asUser() }));

describe('POST /webhooks/{webhook_id}/test/', () => {
  beforeEach(() => {
    table.on(GetCommand).resolves({ Item: webhookItem });
    table.on(PutCommand).resolves({});
  });

  it('queues a test for that webhook, which the sweep sends', async () => {
    const at = submittedAt.toISOString();
    const { statusCode, body } = await send(`/webhooks/${webhookId}/test/`);
    const { event_id: id } = Object(body);
    expect({ statusCode, body }).toEqual({
      statusCode: 200,
      body: {
        delivery_id: `${submittedAt.getTime()}-${id}`,
        event_id: expect.stringMatching(/^test-[0-9a-f-]{36}$/),
        type: 'webhook.test',
        at: '2019-02-10T22:40:01Z',
        state: 'waiting',
        next_try: '2019-02-10T22:40:01Z',
        tries: [],
      },
    });
    expect(table.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({
      PK: `WEBHOOK#${webhookId}`,
      SK: `${at}#${id}`,
      due: anyShard,
      due_at: at,
      event_type: 'webhook.test',
      body: JSON.stringify({
        id,
        type: 'webhook.test',
        timestamp: at,
        data: { webhook_id: webhookId },
      }),
    });
  });

  it('answers 404 for the webhook of somebody else, and queues nothing', async () => {
    table.on(GetCommand).resolves({});
    expect(await send(`/webhooks/${webhookId}/test/`)).toMatchObject({
      statusCode: 404,
      body: { type: 'urn:slipway:problem:webhook-not-found' },
    });
    expect(table.commandCalls(PutCommand)).toEqual([]);
  });
});

describe('POST /webhooks/{webhook_id}/deliveries/{delivery_id}/', () => {
  const path = `/webhooks/${webhookId}/deliveries/1767312000000-e-1/`;
  beforeEach(() => {
    table.on(GetCommand).resolves({ Item: webhookItem });
    table.on(UpdateCommand).resolves({ Attributes: deliveryItem });
  });

  it('makes the delivery due at once, with a day of tries from now on', async () => {
    expect(await send(path)).toMatchObject({
      statusCode: 200,
      body: { delivery_id: '1767312000000-e-1', state: 'waiting' },
    });
    const at = submittedAt.toISOString();
    expect(table.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      Key: { PK: `WEBHOOK#${webhookId}`, SK: '2026-01-02T00:00:00.000Z#e-1' },
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeValues: {
        ':due': anyShard,
        ':due_at': at,
        ':again_at': at,
        ':state': 'waiting',
        ':try_count': 0,
      },
    });
  });

  const unknown = { statusCode: 404, body: { type: 'urn:slipway:problem:delivery-not-found' } };

  it('answers 404 for a delivery that the log does not have', async () => {
    table
      .on(UpdateCommand)
      .rejects(new ConditionalCheckFailedException({ $metadata: {}, message: 'none' }));
    expect(await send(path)).toMatchObject(unknown);
  });

  it.each(['x', '1-a%23b', '__proto__'])('answers 404 for %s, and writes nothing', async (id) => {
    expect(await send(`/webhooks/${webhookId}/deliveries/${id}/`)).toMatchObject(unknown);
    expect(table.commandCalls(UpdateCommand)).toEqual([]);
  });

  it('answers 404 for the webhook of somebody else, and writes nothing', async () => {
    table.on(GetCommand).resolves({});
    expect(await send(path)).toMatchObject({
      statusCode: 404,
      body: { type: 'urn:slipway:problem:webhook-not-found' },
    });
    expect(table.commandCalls(UpdateCommand)).toEqual([]);
  });
});
