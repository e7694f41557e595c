import { expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const user = { user: '306328', name: 'Ada \u001b[31mLovelace', first_seen: '2026-11-15T08:30:00Z' };
const erasure = {
  user: '306328',
  erased: '2026-11-15T08:30:00Z',
  names_return: '2026-12-15T08:30:00Z',
  removed: ['name'],
  stays: ['jobs'],
};

async function startService(removed: readonly string[] = ['name']) {
  const asked: string[] = [];
  const url = await startServer(({ method, url: path = '' }, response) => {
    asked.push(`${method} ${path}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    const answer = path.endsWith('/export/') ? { user } : user;
    response.end(JSON.stringify(method === 'DELETE' ? { ...erasure, removed } : answer));
  });
  return { asked, environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' } };
}

const erase = ['admin', 'erase', '306328', '--reason', 'she has left'];
const path = '/admin/users/306328/';

it('prints an export as JSON, for a file', async () => {
  const { asked, environment } = await startService();
  const { code, out } = await openCommandHome().run(['admin', 'export', '306328'], { environment });
  expect([code, JSON.parse(out)]).toEqual([0, { user }]);
  expect(asked).toEqual([`GET ${path}export/`]);
});

it('says what erasing takes and leaves, and until when names stay away', async () => {
  const { asked, environment } = await startService();
  const { code, out, err } = await openCommandHome().run(erase, { environment });
  expect([code, asked]).toEqual([0, [`GET ${path}`, `DELETE ${path}person/?reason=she+has+left`]]);
  expect(err).toContain('accounts on systems of 306328 (Ada \ufffd[31mLovelace) will be erased');
  expect(err).toContain('stay with the number');
  expect(out).toContain('Erased     306328');
  expect(out).toMatch(/again from .*Dec/);
});

it('says that nothing was left to erase', async () => {
  const { environment } = await startService([]);
  const { out } = await openCommandHome().run(erase, { environment });
  expect(out).toMatch(/^Unchanged {2}306328 was erased on /);
});

it('asks a person, and erases nothing without a yes', async () => {
  const { asked, environment } = await startService();
  const manner = { environment, columns: 100, answer: 'n' };
  const { err } = await openCommandHome().run(erase, manner);
  expect(err).toContain('Nothing was erased.');
  expect(asked).toEqual([`GET ${path}`]);
});

it('sends nothing without a reason', async () => {
  const { asked, environment } = await startService();
  const { code } = await openCommandHome().run(erase.slice(0, 3), { environment });
  expect(code).not.toBe(0);
  expect(asked).toEqual([]);
});
