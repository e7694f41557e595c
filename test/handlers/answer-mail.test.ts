import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/mail/answer-mail.ts';
import { handler as pages } from '#functions/reference/read-reference.ts';
import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { createMailPasses, type MailPurpose } from '#lib/mail/mail-passes.ts';
import { userId } from '#test/fixtures/names.ts';
import { call } from '../fixtures/call.ts';
import { user } from '../fixtures/samples.ts';
import { mockTable } from '../fixtures/table-mock.ts';

const table = mockTable();
const email = 'ada@example.org';
const passes = createMailPasses(readEnvironment(PassEnvironment).PASS_SECRET);
const inAnHour = () => new Date(Date.now() + 3_600_000);

const stored = {
  type: 'notifications',
  schema_version: 1,
  user,
  asked_at: [],
  events: ['job.ended'],
  digest: 'when-many',
  changed_at: '2019-01-01T00:00:00.000Z',
};

beforeEach(() => {
  table.reset();
  table.on(PutCommand).resolves({});
});

function write(purpose: MailPurpose, endsAt = inAnHour()): string {
  return passes.write(purpose, { user: userId(user), email }, endsAt);
}

const open = (path: string, pass: string, method: 'GET' | 'POST' = 'POST') =>
  call(method === 'GET' ? pages : handler, { method, path, query: `pass=${pass}` });

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const written = () => table.commandCalls(PutCommand).map(({ args }) => args[0].input.Item);

describe('the link that confirms an address', () => {
  it('shows a button, and changes nothing before it is pressed', async () => {
    const page = await open('/mail/confirm/', write('confirm'), 'GET');
    expect(page.statusCode).toBe(200);
    expect(page.headers?.['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers?.['content-security-policy']).toContain("default-src 'none'");
    // Otherwise the button sends `Origin: null`.
    expect(page.headers?.['referrer-policy']).toBe('same-origin');
    expect(page.body).toContain('<form method="post"><button type="submit">Confirm address');
    expect(written()).toEqual([]);
  });

  it('confirms the address that waits for it', async () => {
    table.on(GetCommand).resolves({ Item: { ...stored, waiting_email: email } });
    const page = await open('/mail/confirm/', write('confirm'));
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('confirmed')]);
    expect(written()).toMatchObject([{ email }]);
    expect(written()[0]).not.toHaveProperty('waiting_email');
  });

  it.each([
    { why: 'another address waits', item: { ...stored, waiting_email: 'other@example.org' } },
    { why: 'none waits', item: stored },
    { why: 'the user is unknown', item: undefined },
  ])('confirms nothing if $why', async ({ item }) => {
    table.on(GetCommand).resolves({ Item: item });
    expect((await open('/mail/confirm/', write('confirm'))).statusCode).toBe(404);
    expect(written()).toEqual([]);
  });
});

describe('the link that ends all mails', () => {
  it('works with one click of a mail program, also twice', async () => {
    table.on(GetCommand).resolves({ Item: { ...stored, email } });
    const click = () =>
      call(handler, {
        method: 'POST',
        path: '/mail/unsubscribe/',
        query: `pass=${write('unsubscribe')}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('List-Unsubscribe=One-Click'),
      });
    expect((await click()).statusCode).toBe(200);
    expect(written()).toHaveLength(1);
    expect(written()[0]).not.toHaveProperty('email');
    table.on(GetCommand).resolves({ Item: stored });
    expect((await click()).statusCode).toBe(200);
    expect(written()).toHaveLength(1);
  });
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
    expect(table.calls()).toHaveLength(0);
  });

  it.each(['/mail/confirm/', '/mail/unsubscribe/'])(
    'that has expired shows a person a page at %s',
    async (path) => {
      const refusal = await call(handler, {
        method: 'POST',
        path,
        query: 'pass=x',
        headers: browser,
      });
      expect(refusal.statusCode).toBe(404);
      expect(refusal.headers?.['content-type']).toBe('text/html; charset=utf-8');
      expect(refusal.body).toContain('<h1>This link no longer works</h1>');
    },
  );
});
