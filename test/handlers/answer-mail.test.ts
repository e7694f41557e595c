import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/mail/answer-mail.ts';
import { handler as pages } from '#functions/reference/read-reference.ts';
import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { createMailPasses, type MailPurpose } from '#lib/mail/mail-passes.ts';
import { userId } from '#test/fixtures/names.ts';
import { call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { user } from '../fixtures/samples.ts';

const table = useTable();
const email = 'ada@example.org';
const passes = createMailPasses(readEnvironment(PassEnvironment).PASS_SECRET);
const inAnHour = () => new Date(Date.now() + 3_600_000);

const key = { PK: `USER#${user}`, SK: 'NOTIFICATIONS' };
const stored = {
  ...key,
  type: 'notifications',
  schema_version: 1,
  user,
  asked_at: [],
  events: ['job.ended'],
  digest: 'when-many',
  changed_at: '2019-01-01T00:00:00.000Z',
};

function write(purpose: MailPurpose, endsAt = inAnHour()): string {
  return passes.write(purpose, { user: userId(user), email }, endsAt);
}

const open = (path: string, pass: string, method: 'GET' | 'POST' = 'POST') =>
  call(method === 'GET' ? pages : handler, { method, path, query: `pass=${pass}` });

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('the link that confirms an address', () => {
  it('shows a button, and changes nothing before it is pressed', async () => {
    const page = await open('/mail/confirm/', write('confirm'), 'GET');
    expect(page.statusCode).toBe(200);
    expect(page.headers?.['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers?.['content-security-policy']).toContain("default-src 'none'");
    // Otherwise the button sends `Origin: null`.
    expect(page.headers?.['referrer-policy']).toBe('same-origin');
    expect(page.body).toContain('<form method="post"><button type="submit">Confirm address');
    expect(table.sent()).toEqual([]);
  });

  it('confirms the address that waits for it', async () => {
    await table.hold({ ...stored, waiting_email: email });
    const page = await open('/mail/confirm/', write('confirm'));
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('confirmed')]);
    expect(await table.read(key)).toEqual({ ...stored, email, changed_at: expect.any(String) });
  });

  it.each([
    { why: 'another address waits', items: [{ ...stored, waiting_email: 'other@example.org' }] },
    { why: 'none waits', items: [stored] },
    { why: 'the user is unknown', items: [] },
  ])('confirms nothing if $why', async ({ items }) => {
    await table.hold(...items);
    expect((await open('/mail/confirm/', write('confirm'))).statusCode).toBe(404);
    expect(table.writes()).toBe(0);
  });

  it('changes what was read alone: on a mocked table', async () => {
    table.mock.on(GetCommand).resolvesOnce({ Item: { ...stored, waiting_email: email } });
    table.mock.on(PutCommand).resolves({});
    expect((await open('/mail/confirm/', write('confirm'))).statusCode).toBe(200);
    const [put, ...others] = table.mock.commandCalls(PutCommand);
    const seen = { ExpressionAttributeValues: { ':seen': stored.changed_at } };
    expect(put?.args[0].input).toMatchObject({ Item: { email }, ...seen });
    expect(others).toEqual([]);
  });
});

describe('the link that ends all mails', () => {
  it('works with one click of a mail program, also twice', async () => {
    await table.hold({ ...stored, email });
    for (const _ of ['first', 'second']) {
      const { statusCode } = await call(handler, {
        method: 'POST',
        path: '/mail/unsubscribe/',
        query: `pass=${write('unsubscribe')}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('List-Unsubscribe=One-Click'),
      });
      expect(statusCode).toBe(200);
      expect(await table.read(key)).not.toHaveProperty('email');
    }
    expect(table.writes()).toBe(1);
  });
});

it.each([
  ['GET', '/mail/confirm/', 'confirm', 'Mailadresse bestätigen'],
  ['POST', '/mail/confirm/', 'confirm', 'Adresse bestätigt'],
  ['GET', '/mail/unsubscribe/', 'unsubscribe', 'Alle Mails abbestellen?'],
  ['POST', '/mail/unsubscribe/', 'unsubscribe', 'Mails abbestellt'],
  ['POST', '/mail/confirm/', 'unsubscribe', 'Dieser Link gilt nicht mehr'],
] as const)('is a German page from a German mail: %s %s', async (method, path, purpose, title) => {
  await table.hold({ ...stored, email, waiting_email: email, language: 'de' });
  const query = `pass=${write(purpose)}&language=de`;
  const page = await call(method === 'GET' ? pages : handler, {
    method,
    path,
    query,
    headers: browser,
  });
  expect(page.body).toContain('<html lang="de">');
  expect(page.body).toContain(`<h1>${title}</h1>`);
});

describe('a pass', () => {
  it.each([
    { why: 'is for the other purpose', pass: () => write('unsubscribe') },
    { why: 'has expired', pass: () => write('confirm', new Date(Date.now() - 1000)) },
    { why: 'was changed', pass: () => write('confirm').replace(user, `${user}0`) },
    { why: 'is missing', pass: () => '' },
    { why: 'is something else', pass: () => 'a.b.c.d' },
  ])('that $why is refused, and nothing is read', async ({ pass }) => {
    const refusal = await open('/mail/confirm/', pass());
    expect(refusal.statusCode).toBe(404);
    expect(refusal.body).toContain('link-not-valid');
    expect(table.sent()).toEqual([]);
  });

  it.each(['/mail/confirm/', '/mail/unsubscribe/'])(
    'that has expired shows a person a page at %s',
    async (path) => {
      const request = { method: 'POST', path, query: 'pass=x', headers: browser };
      const refusal = await call(handler, request);
      expect(refusal.statusCode).toBe(404);
      expect(refusal.headers?.['content-type']).toBe('text/html; charset=utf-8');
      expect(refusal.body).toContain('<h1>This link no longer works</h1>');
    },
  );
});
