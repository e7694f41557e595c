import { expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const known = {
  available: true,
  email: 'ada@example.org',
  unconfirmed_email: null,
  token_email: null,
  events: ['job.ended', 'quota.low'],
  digest: 'when-many',
  language: 'en',
};

/** Runs a command against a service with these preferences. */
async function run(words: readonly string[], preferences: object = {}) {
  const sent: unknown[] = [];
  const url = await startServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    if (request.method === 'PUT') sent.push(body);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...known, ...preferences, ...body }));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const { code, out, err } = await openCommandHome().run(['notifications', ...words], {
    environment,
  });
  return { code, out, err, sent };
}

it('shows what is told, and where', async () => {
  const { code, out, sent } = await run([]);
  expect(code).toBe(0);
  expect(out).toBe(
    'Mails go to  ada@example.org\nEvents       job.ended, quota.low\nDigest       when there are many\nLanguage     en\n',
  );
  expect(sent).toEqual([]);
});

it.each([
  { preferences: { available: false }, says: 'This service sends no mail.' },
  {
    preferences: { email: null },
    says: 'You get no mails. To get them: slipway notifications set',
  },
  {
    preferences: { unconfirmed_email: 'new@example.org' },
    says: 'Unconfirmed  new@example.org\n             Open the link in the mail to it.',
  },
  { preferences: { language: 'de' }, says: 'Language     de' },
  { preferences: { digest: 'daily' }, says: 'Digest       daily, at 6:00 UTC' },
])('says $says', async ({ preferences, says }) => {
  expect((await run([], preferences)).out).toContain(says);
});

it.each([
  { words: ['set', '--events', 'job.ended'], body: { events: ['job.ended'] } },
  { words: ['set', '--digest', 'daily'], body: { digest: 'daily' } },
  { words: ['set', '--language', 'de'], body: { language: 'de' } },
  { words: ['set', '--email', 'b@c.org'], body: { email: 'b@c.org' } },
  { words: ['off'], body: { email: null } },
])('sends $body for $words', async ({ words, body }) => {
  expect(await run(words)).toMatchObject({ code: 0, sent: [body] });
});

it('takes the address of the token, or asks for one', async () => {
  const own = { email: null, token_email: 'own@example.org' };
  expect((await run(['set'], own)).sent).toEqual([{ email: 'own@example.org' }]);
  const { code, err, sent } = await run(['set'], { email: null });
  expect(code).not.toBe(0);
  expect(err).toContain('Add --email you@example.org.');
  expect(sent).toEqual([]);
});
