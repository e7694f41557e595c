import { expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

/** A service with so many deliveries, in pages of at most a hundred. */
async function startService(count: number) {
  const url = await startServer(({ url: path = '' }, response) => {
    const { searchParams: query } = new URL(path, 'http://localhost');
    const from = Number(query.get('cursor') ?? 0);
    const to = Math.min(count, from + Number(query.get('limit') ?? 100));
    const next = `<http://localhost/webhooks/w/deliveries/?limit=100&cursor=${to}>; rel="next"`;
    const deliveries = Array.from({ length: to - from }, (_, number) => ({
      delivery_id: `1-e-${from + number}`,
      event_id: `e-${from + number}`,
      type: 'job.ended',
      at: '2026-01-01T00:00:00Z',
      state: 'delivered',
      next_try: null,
      tries: [],
    }));
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(to < count && { link: next }),
    });
    response.end(JSON.stringify(deliveries));
  });
  return { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
}

it.each([
  { words: [], shown: 20, told: 'These are the newest 20. To see all, add --all' },
  {
    words: ['--limit', '130'],
    shown: 130,
    told: 'These are the newest 130. To see all, add --all',
  },
  { words: ['--all'], shown: 250, told: undefined },
])('shows $shown deliveries of 250 with $words', async ({ words, shown, told }) => {
  const environment = await startService(250);
  const command = ['webhooks', 'deliveries', 'w', '--csv', ...words];
  const { code, out, err } = await openCommandHome().run(command, { environment });
  expect(code).toBe(0);
  expect(out.match(/job\.ended/g)).toHaveLength(shown);
  if (told === undefined) expect(err).not.toContain('The newest');
  else expect(err).toContain(told);
});

it.each([
  { words: ['test', 'w'], path: '/webhooks/w/test/', says: 'The test is sent within a minute.' },
  {
    words: ['resend', 'w', '1-e-1'],
    path: '/webhooks/w/deliveries/1-e-1/',
    says: 'The job.ended is sent again within a minute.',
  },
])('sends $path', async ({ words, path, says }) => {
  const asked: string[] = [];
  const url = await startServer(({ method, url: called }, response) => {
    asked.push(`${method} ${called}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ delivery_id: '1-e-1', type: 'job.ended', tries: [] }));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const { code, out } = await openCommandHome().run(['webhooks', ...words], { environment });
  expect(code).toBe(0);
  expect(asked).toEqual([`POST ${path}`]);
  expect(out).toContain(says);
  expect(out).toContain('slipway webhooks deliveries w');
});
