import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asUser, call } from '#test/fixtures/call.ts';
import {
  answer,
  invalidRequest,
  problem,
  readResponse,
  unauthorized,
} from '#test/fixtures/responses.ts';
import { submittedAt, user } from '#test/fixtures/samples.ts';
import { mockTable, sentCommands } from '#test/fixtures/table-mock.ts';

vi.stubEnv('SMTP_URL', 'smtp://localhost:1');
const { handler } = await import('#functions/mail/change-notifications.ts');
const { handler: reading } = await import('#functions/webhooks/read-webhooks.ts');

const table = mockTable();

const stored = {
  PK: `USER#${user}`,
  SK: 'NOTIFICATIONS',
  type: 'notifications',
  schema_version: 1,
  user,
  email: 'ada@example.org',
  asked_at: [],
  events: ['job.ended'],
  digest: 'daily',
  changed_at: '2019-01-01T00:00:00.000Z',
};

const shown = {
  available: true,
  email: 'ada@example.org',
  unconfirmed_email: null,
  token_email: null,
  events: ['job.ended'],
  digest: 'daily',
};

beforeEach(() => {
  table.reset();
  table.on(GetCommand).resolves({ Item: stored });
  table.on(PutCommand).resolves({});
  table.on(UpdateCommand).resolves({});
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

async function put(body: unknown) {
  const headers = { ...asUser(), 'content-type': 'application/json' };
  const bytes = Buffer.from(JSON.stringify(body));
  return readResponse(
    await call(handler, { method: 'PUT', path: '/notifications/', headers, body: bytes }),
  );
}

const get = async () =>
  readResponse(await call(reading, { path: '/notifications/', headers: asUser() }));

describe('GET /notifications/', () => {
  it('shows the preferences, and all events without an address to a new user', async () => {
    expect(await get()).toEqual(answer(200, shown));
    table.on(GetCommand).resolves({});
    expect(await get()).toEqual(
      answer(200, {
        ...shown,
        email: null,
        events: ['job.ended', 'batch.ended', 'quota.low', 'request.decided'],
        digest: 'when-many',
      }),
    );
  });
});

describe('PUT /notifications/', () => {
  it('keeps a confirmed address, and changes what it is told', async () => {
    const wish = { email: 'ada@example.org', events: ['quota.low', 'job.ended'] };
    expect(await put(wish)).toEqual(answer(200, { ...shown, events: ['job.ended', 'quota.low'] }));
    expect(sentCommands(table)).toMatchObject([
      ['GetCommand', { Key: { PK: stored.PK, SK: stored.SK } }],
      [
        'PutCommand',
        {
          Item: { email: 'ada@example.org', events: ['job.ended', 'quota.low'] },
          ConditionExpression: 'changed_at = :seen',
        },
      ],
    ]);
  });

  it('lets a new address wait for its link, and tells the old one meanwhile', async () => {
    expect(await put({ email: 'new@example.org' })).toMatchObject({
      statusCode: 200,
      body: { email: 'ada@example.org', unconfirmed_email: 'new@example.org' },
    });
    expect(table.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      Key: { PK: stored.PK, SK: 'MAILBOX' },
      ExpressionAttributeValues: { ':confirm': 'new@example.org' },
    });
  });

  it('leaves what is not named as it is, also an address that waits, and sends no link', async () => {
    table.on(GetCommand).resolves({ Item: { ...stored, waiting_email: 'new@example.org' } });
    expect(await put({ digest: 'when-many' })).toEqual(
      answer(200, { ...shown, unconfirmed_email: 'new@example.org', digest: 'when-many' }),
    );
    expect(table.commandCalls(UpdateCommand)).toEqual([]);
  });

  it('ends all mails without an address', async () => {
    expect(await put({ email: null })).toMatchObject({ statusCode: 200, body: { email: null } });
  });

  it.each([
    [{ email: 'ada' }, 'email', 'It is not a valid e-mail address.'],
    [{ email: 'a@b.org\nBcc: c@d.org' }, 'email', 'It is not a valid e-mail address.'],
    [{ email: `${'a'.repeat(250)}@b.org` }, 'email', 'It must have at most 254 characters.'],
    [{ email: null, digest: 'hourly' }, 'digest', 'It must be one of: when-many, daily.'],
    [
      { email: null, events: ['job.submitted'] },
      'events.0',
      'Unknown event. Known events: job.ended, batch.ended, quota.low, request.decided.',
    ],
  ])('answers 400 to %j', async (body, name, message) => {
    expect(await put(body)).toEqual(invalidRequest([{ location: 'body', name, message }]));
    expect(table.commandCalls(PutCommand)).toEqual([]);
  });

  it('answers 429 after five links in a day', async () => {
    const asked = Array.from({ length: 5 }, () => '2019-02-10T20:40:01.000Z');
    table.on(GetCommand).resolves({ Item: { ...stored, asked_at: asked } });
    const refusal = await put({ email: 'new@example.org' });
    expect(refusal).toMatchObject({ statusCode: 429, headers: { 'retry-after': '79200' } });
  });

  it('answers 401 without a token', async () => {
    const response = await call(handler, { method: 'PUT', path: '/notifications/' });
    expect(readResponse(response)).toEqual(unauthorized);
  });

  it('answers 409 where no mail is sent, except to end it', async () => {
    vi.stubEnv('SMTP_URL', undefined);
    vi.resetModules();
    const { handler: without } = await import('#functions/mail/change-notifications.ts');
    const headers = { ...asUser(), 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify({ email: 'a@b.org' }));
    const ask = { method: 'PUT', path: '/notifications/', headers, body } as const;
    expect(readResponse(await call(without, ask))).toEqual(
      problem({
        status: 409,
        slug: 'mail-not-set-up',
        title: 'No mail is sent',
        detail: 'This service sends no mail. Ask its operator, or use a webhook.',
      }),
    );
  });
});
