import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const window = {
  name: '2099-12-01',
  from: '2099-12-01T08:00:00Z',
  until: '2099-12-01T16:00:00Z',
  reason: 'New firmware.',
  drain: true,
  source: 'administrator',
};

/** A service that answers every question about systems, and keeps what it was asked. */
async function openService(answer: object) {
  const asked: [string, string, unknown][] = [];
  const url = await startServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push([request.method ?? '', request.url ?? '', body === '' ? '' : JSON.parse(body)]);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c', TZ: 'UTC' };
  const run = (...words: string[]) => openCommandHome().run(words, { environment });
  return { asked, run };
}

describe('slipway admin maintenance', () => {
  it('announces a window in the time of the reader, under the name of its day', async () => {
    const { asked, run } = await openService(window);
    const times = ['--from', '2099-12-01 08:00', '--until', '2099-12-01T16:00:00Z'];
    const { out, code } = await run(
      ...['admin', 'maintenance', 'announce', 'hpc_one', ...times, '--no-drain'],
      ...['--reason', 'New firmware.'],
    );
    expect(code).toBe(0);
    const from = new Date('2099-12-01T08:00').toISOString();
    expect(asked).toEqual([
      [
        'PUT',
        `/admin/systems/hpc_one/maintenance/2099-12-01/`,
        { from, until: '2099-12-01T16:00:00.000Z', reason: 'New firmware.', drain: false },
      ],
    ]);
    expect(out).toMatch(/^Maintenance of hpc_one from 2099-12-01 .* New firmware\.$/m);
  });

  it('refuses what is not a time', async () => {
    const { asked, run } = await openService(window);
    const { err, code } = await run(
      ...['admin', 'maintenance', 'announce', 'hpc_one', '--from', 'soon', '--until', 'later'],
    );
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain('\'soon\' is not a time. Write it like "2026-12-01 08:00".');
  });

  it('lists the windows of all systems', async () => {
    const { run } = await openService([
      { name: 'hpc_one', maintenance: [window, { ...window, name: 'pause', until: null }] },
      { name: 'hpc_two' },
    ]);
    const { out } = await run('admin', 'maintenance');
    expect(out).toMatch(/hpc_one +2099-12-01 +2099-12-01/);
    expect(out).toMatch(/hpc_one +pause/);
    expect(out).not.toContain('hpc_two');
  });

  it.each([
    [['maintenance', 'withdraw', 'hpc_one', '2099-12-01'], 'maintenance/2099-12-01/withdraw/'],
    [['pause', 'hpc_one'], 'pause/'],
    [['resume', 'hpc_one'], 'resume/'],
  ])('%j asks for it, with the reason', async (words, path) => {
    const { asked, run } = await openService(window);
    const { code } = await run('admin', ...words, '--reason', 'because');
    expect(code).toBe(0);
    expect(asked).toEqual([['PUT', `/admin/systems/hpc_one/${path}`, { reason: 'because' }]]);
  });
});

describe('slipway', () => {
  const systems = [
    { name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'closed', closed_until: window.until },
  ];

  it('status says until when a system is closed, and does not fail for it', async () => {
    const { run } = await openService({ status: 'up', version: '0.2.0', systems });
    const { out, code } = await run('status');
    expect(code).toBe(0);
    expect(out).toMatch(/closed +hpc_one until 2099-12-0\d/);
  });
});
