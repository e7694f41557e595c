import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/webhooks/create-webhook.ts';
import { asAdministrator, ask, asUser, call } from '../fixtures/call.ts';
import { holdClock } from '../fixtures/clock.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { answer, invalidPart, readResponse, refusal, unauthorized } from '../fixtures/responses.ts';
import { otherUser, submittedAt, user } from '../fixtures/samples.ts';
import { canceled, conditionFailed, passed, sentTransactions } from '../fixtures/table-mock.ts';
import { deliveryItem, webhookId, webhookItem } from '../fixtures/webhooks.ts';

const table = useTable();
holdClock(submittedAt);
const at = submittedAt.toISOString();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Of the caller's own; the others are for administrators. */
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
  'system.maintenance-announced',
  'system.maintenance-changed',
  'system.maintenance-ended',
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

const url = 'https://app.example.org/hook';
const countKey = { PK: `USER#${user}`, SK: 'WEBHOOKS' };
const count = { ...countKey, type: 'webhook-count', schema_version: 1 };
const tooMany = refusal(409, 'too-many-webhooks');

describe('POST /webhooks/', () => {
  it('answers 201 with the webhook and its secret, and keeps and counts it in one write', async () => {
    const events = ['job.ended', 'job.submitted', 'job.ended'];
    const created = await post({ url, events, description: ' the portal ' });
    const { webhook_id, secret } = Object(created.body);
    expect(webhook_id).toMatch(uuid);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const shown = { url, events: ['job.submitted', 'job.ended'], description: 'the portal' };
    const body = { webhook_id, ...shown, created: '2019-02-10T22:40:01Z', secret };
    const location = `https://slipway.test/webhooks/${webhook_id}/`;
    expect(created).toEqual(answer(201, body, { location }));
    expect(await table.list()).toEqual([
      {
        PK: `USER#${user}`,
        SK: `WEBHOOK#${webhook_id}`,
        type: 'webhook',
        schema_version: 1,
        webhook_id,
        owner: user,
        ...shown,
        created: at,
        secret,
      },
      { ...count, webhooks: 1 },
    ]);
    expect(table.writes()).toBe(1);
  });

  it('takes all events and no description where none is named', async () => {
    const { body } = await post({ url: 'https://app.example.org' }, { 'content-type': '' });
    const all = { url: 'https://app.example.org/', events: ownEvents, description: '' };
    expect(body).toMatchObject(all);
  });

  it('tells of new requests only administrators, who are then found by the registry', async () => {
    const wish = { url, events: ['request.opened'] };
    expect(await post(wish)).toMatchObject(refusal(403, 'event-for-administrators'));
    expect(table.sent()).toEqual([]);
    const { statusCode, body } = await post(wish, asAdministrator());
    expect(statusCode).toBe(201);
    const registry_key = Object(body).webhook_id;
    expect((await table.list())[0]).toMatchObject({ registry: 'REGISTRY#WEBHOOKS', registry_key });
  });

  it('puts one that wants to hear of systems into a registry of its own', async () => {
    const { body } = await post({ url, events: ['system.maintenance-announced'] });
    const registry_key = Object(body).webhook_id;
    expect((await table.list())[0]).toMatchObject({
      registry: 'REGISTRY#WEBHOOKS#SYSTEMS',
      registry_key,
    });
  });

  it('answers 409 to one more than 10', async () => {
    await table.hold({ ...count, webhooks: 9 });
    expect((await post({ url })).statusCode).toBe(201);
    expect(await post({ url })).toMatchObject(tooMany);
  });

  it('is one transaction, and 409 where that is refused: on a mocked table', async () => {
    table.mock
      .on(TransactWriteCommand)
      .resolvesOnce({})
      .rejects(canceled([conditionFailed(), passed]));
    expect((await post({ url })).statusCode).toBe(201);
    expect(await post({ url })).toMatchObject(tooMany);
    const values = { ':added_webhooks': 1, ':most': 10 };
    const Update = { Key: countKey, ExpressionAttributeValues: values };
    expect(sentTransactions(table.mock)[0]).toMatchObject([{ Update }, { Put: {} }]);
  });

  const all = [
    ...ownEvents.slice(0, -3).toSpliced(9, 0, 'request.opened'),
    ...['project.opened', 'project.closed', 'member.joined', 'member.left'],
    ...['budget.changed', 'account.mapped'],
    ...ownEvents.slice(-3),
  ];
  const known = `Known events: ${all.join(', ')}.`;
  const unknown = 'Unknown field. Known fields: url, events, description.';
  const marks =
    'It must not contain control characters, marks that change the writing direction, or broken Unicode.';
  const loopback =
    'It must begin with https://. On a laptop, WEBHOOKS_TO_LOOPBACK=true npm start allows this machine, also over http.';

  it.each([
    ['{', 'body', 'It is not valid JSON.'],
    [[], 'body', 'It must be a JSON object.'],
    [{}, 'url', 'This field is required.'],
    [{ url: 1 }, 'url', 'It must be text.'],
    [{ url: 'nowhere' }, 'url', 'It is not a valid web address.'],
    [{ url: 'http://a.org/' }, 'url', loopback],
    [{ url: 'https://169.254.169.254/' }, 'url', 'Its host is not a public address.'],
    [{ url: 'https://localhost:x/' }, 'url', 'It is not a valid web address.'],
    [{ url, events: 'job.ended' }, 'events', 'It must be a list.'],
    [{ url, events: [] }, 'events', `Name at least one event. ${known}`],
    [{ url, events: ['job.ended', 'job.lost'] }, 'events.1', `Unknown event. ${known}`],
    [{ url, description: 1 }, 'description', 'It must be text.'],
    [{ url, description: 'é'.repeat(201) }, 'description', 'It must have at most 200 characters.'],
    [{ url, description: 'a\u0000b' }, 'description', marks],
    [{ url, description: 'a\u202eb' }, 'description', marks],
    [{ url, secret: 'mine' }, 'secret', unknown],
    [`{"url":"${url}","__proto__":1}`, '__proto__', unknown],
  ])('answers 400 to %j', async (body, name, message) => {
    expect(await post(body)).toEqual(invalidPart('body', name, message));
    expect(table.sent()).toEqual([]);
  });

  it('takes a description of 200 characters, however many bytes they are', async () => {
    expect((await post({ url, description: '🚀'.repeat(200) })).statusCode).toBe(201);
  });

  it('answers 415 to a form, 413 to what is too long, and 401 without a token', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const detail = expect.stringContaining("Send JSON, with 'Content-Type: application/json'.");
    expect(await post({ url }, form)).toMatchObject({ statusCode: 415, body: { detail } });
    expect(await post({ url, description: 'a'.repeat(16_384) })).toMatchObject({ statusCode: 413 });
    expect(await post({ url }, { authorization: '' })).toEqual(unauthorized);
    expect(table.sent()).toEqual([]);
  });
});

describe('POST below a webhook', () => {
  const test = `/webhooks/${webhookId}/test/`;
  const again = `/webhooks/${webhookId}/deliveries/1767312000000-e-1/`;
  const send = (path: string, headers = asUser()) =>
    ask(handler, { method: 'POST', path, headers });
  /** The shard follows from chance. */
  const due = { due: expect.stringMatching(/^DUE#DELIVERIES#[0-3]$/), due_at: at };

  beforeEach(() => table.hold(webhookItem));

  it('queues a test for that webhook, which the sweep sends', async () => {
    const { statusCode, body } = await send(test);
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
    const told = { id, type: 'webhook.test', timestamp: at, data: { webhook_id: webhookId } };
    expect(await table.list(`WEBHOOK#${webhookId}`)).toMatchObject([
      { SK: `${at}#${id}`, ...due, event_type: 'webhook.test', body: JSON.stringify(told) },
    ]);
  });

  it('makes a delivery due at once, with a day of tries from now on', async () => {
    const { due: _, due_at: __, ...given } = { ...deliveryItem, state: 'given-up', try_count: 9 };
    await table.hold(given);
    const body = { delivery_id: '1767312000000-e-1', state: 'waiting' };
    expect(await send(again)).toMatchObject({ statusCode: 200, body });
    const { PK, SK } = deliveryItem;
    expect(await table.read({ PK, SK })).toEqual({
      ...deliveryItem,
      ...due,
      again_at: at,
      try_count: 0,
      expires_at: expect.any(Number),
    });
  });

  it.each(['1767312000000-e-1', 'x', '1-a%23b', '__proto__'])(
    'answers 404 for the delivery %s, which the log does not have',
    async (id) => {
      const path = `/webhooks/${webhookId}/deliveries/${id}/`;
      expect(await send(path)).toMatchObject(refusal(404, 'delivery-not-found'));
      expect(await table.list('WEBHOOK#')).toEqual([]);
    },
  );

  it.each([test, again])('answers 404 for the webhook of somebody else: %s', async (path) => {
    const refused = await send(path, asUser(otherUser));
    expect(refused).toMatchObject(refusal(404, 'webhook-not-found'));
    expect(table.writes()).toBe(0);
  });

  it('puts a test where the webhook was read: on a mocked table', async () => {
    table.mock.on(GetCommand).resolvesOnce({ Item: webhookItem }).resolves({});
    table.mock.on(PutCommand).resolves({});
    expect((await send(test)).statusCode).toBe(200);
    expect((await send(test)).statusCode).toBe(404);
    expect(table.mock.commandCalls(PutCommand)).toHaveLength(1);
  });
});
