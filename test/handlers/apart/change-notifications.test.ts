import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, asUser } from '#test/fixtures/call.ts';
import { holdClock } from '#test/fixtures/clock.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { answer, invalidPart, refusal, unauthorized } from '#test/fixtures/responses.ts';
import { submittedAt, user } from '#test/fixtures/samples.ts';
import { sentCommands } from '#test/fixtures/table-mock.ts';

vi.stubEnv('SMTP_URL', 'smtp://localhost:1');
const { handler } = await import('#functions/mail/change-notifications.ts');
const { handler: reading } = await import('#functions/webhooks/read-webhooks.ts');

const table = useTable();
holdClock(submittedAt);

const key = { PK: `USER#${user}`, SK: 'NOTIFICATIONS' };
const stored = {
  ...key,
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
  language: 'en',
};

beforeEach(() => table.hold(stored));

const path = '/notifications/';
const put = (body: unknown, headers = asUser(), by = handler) =>
  ask(by, { method: 'PUT', path, headers }, body);
const get = () => ask(reading, { path, headers: asUser() });

it('GET /notifications/ shows the preferences, and all events without an address to a new user', async () => {
  expect(await get()).toEqual(answer(200, shown));
  await table.drop(key);
  const events = ['job.ended', 'batch.ended', 'quota.low', 'request.decided', 'system.maintenance'];
  expect(await get()).toEqual(answer(200, { ...shown, email: null, events, digest: 'when-many' }));
});

describe('PUT /notifications/', () => {
  it('keeps a confirmed address, and changes what it is told', async () => {
    const wish = { email: 'ada@example.org', events: ['quota.low', 'job.ended'] };
    const events = ['job.ended', 'quota.low'];
    expect(await put(wish)).toEqual(answer(200, { ...shown, events }));
    const changed_at = submittedAt.toISOString();
    expect(await table.list()).toEqual([{ ...stored, events, changed_at }]);
  });

  it('lets a new address wait for its link, and tells the old one meanwhile', async () => {
    const waits = { email: 'ada@example.org', unconfirmed_email: 'new@example.org' };
    expect((await put({ email: 'new@example.org' })).body).toMatchObject(waits);
    const mailbox = await table.read({ PK: key.PK, SK: 'MAILBOX' });
    expect(mailbox).toMatchObject({ confirm: 'new@example.org' });
  });

  it('leaves what is not named as it is, also an address that waits, and sends no link', async () => {
    await table.hold({ ...stored, waiting_email: 'new@example.org' });
    expect(await put({ digest: 'when-many' })).toEqual(
      answer(200, { ...shown, unconfirmed_email: 'new@example.org', digest: 'when-many' }),
    );
    expect(await table.list()).toHaveLength(1);
  });

  it('remembers the language of the mails, and shows it', async () => {
    expect(await put({ language: 'de' })).toEqual(answer(200, { ...shown, language: 'de' }));
    expect(await get()).toMatchObject({ body: { language: 'de' } });
    expect(await table.read(key)).toMatchObject({
      ...stored,
      language: 'de',
      changed_at: expect.any(String),
    });
  });

  it('ends all mails without an address', async () => {
    expect(await put({ email: null })).toMatchObject({ statusCode: 200, body: { email: null } });
    expect(await table.read(key)).not.toHaveProperty('email');
  });

  it.each([
    [{ email: 'ada' }, 'email', 'It is not a valid e-mail address.'],
    [{ email: 'a@b.org\nBcc: c@d.org' }, 'email', 'It is not a valid e-mail address.'],
    [{ email: `${'a'.repeat(250)}@b.org` }, 'email', 'It must have at most 254 characters.'],
    [{ language: 'fr' }, 'language', 'It must be one of: en, de.'],
    [{ email: null, digest: 'hourly' }, 'digest', 'It must be one of: when-many, daily.'],
    [
      { email: null, events: ['job.submitted'] },
      'events.0',
      'Unknown event. Known events: job.ended, batch.ended, quota.low, request.decided, system.maintenance, project.statement.',
    ],
  ])('answers 400 to %j', async (body, name, message) => {
    expect(await put(body)).toEqual(invalidPart('body', name, message));
    expect(table.writes()).toBe(0);
  });

  it('answers 429 after five links in a day, and 401 without a token', async () => {
    await table.hold({ ...stored, asked_at: Array(5).fill('2019-02-10T20:40:01.000Z') });
    const refusal = { statusCode: 429, headers: { 'retry-after': '79200' } };
    expect(await put({ email: 'new@example.org' })).toMatchObject(refusal);
    expect(await put({ email: null }, {})).toEqual(unauthorized);
    expect(table.writes()).toBe(0);
  });

  it('changes what was read alone: on a mocked table', async () => {
    table.mock.on(GetCommand).resolves({ Item: stored });
    table.mock.on(PutCommand).resolves({});
    expect((await put({ digest: 'when-many' })).statusCode).toBe(200);
    const seen = { ExpressionAttributeValues: { ':seen': stored.changed_at } };
    expect(sentCommands(table.mock)).toMatchObject([
      ['GetCommand', { Key: key }],
      ['PutCommand', { Item: { digest: 'when-many' }, ...seen }],
    ]);
  });

  it('answers 409 where no mail is sent, except to end it', async () => {
    vi.stubEnv('SMTP_URL', undefined);
    vi.resetModules();
    const { handler: without } = await import('#functions/mail/change-notifications.ts');
    expect(await put({ email: 'a@b.org' }, asUser(), without)).toMatchObject(
      refusal(409, 'mail-not-set-up'),
    );
    expect((await put({ email: null }, asUser(), without)).statusCode).toBe(200);
  });
});
