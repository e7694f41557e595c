import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const place = { project: 1, project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };
const systems = [{ name: 'hpc_one', project_hpc: 'HPC_ONE', charging: 'node' }];
const hour = 3600;

/** Runs a command before a service with these lists, by the beginnings of their paths. */
async function run(words: readonly string[], lists: Readonly<Record<string, readonly object[]>>) {
  const url = await startServer(({ url: path = '' }, response) => {
    const [, all = []] =
      Object.entries({ '/hpc/': systems, '/projects/': [place], ...lists }).find(([begin]) =>
        path.startsWith(begin),
      ) ?? [];
    const limit = Number(new URL(path, 'http://x').searchParams.get('limit') ?? Infinity);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(all.slice(0, limit)));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  return openCommandHome().run(words, { environment });
}

describe('a list of requests', () => {
  const open = {
    ...place,
    request_id: 'r-1',
    user: '306330',
    time: 50 * hour,
    space: 0,
    reason: 'a thesis',
    state: 'open',
    opened: '2026-01-01T00:00:00Z',
    ended: null,
    decision: null,
    banned: null,
  };
  const decide = (time: number, space = 0) => ({
    ...open,
    state: 'approved',
    decision: { by: '306399', reason: 'most of it', time, space, valid_until: null },
  });
  const lists = [
    { words: ['requests'], path: '/requests/' },
    { words: ['admin', 'requests', 'list', '--state', 'approved'], path: '/admin/requests/' },
  ];

  it.each(lists)('has what was granted instead: $words', async ({ words, path }) => {
    const { out } = await run(words, { [path]: [open, decide(40 * hour), decide(50 * hour, 2e6)] });
    expect(out).toContain('GRANTED');
    expect(out).toMatch(/ 50 node-hours .* 40 node-hours .*most of it/);
    expect(out).toMatch(/ 50 node-hours .* 50 node-hours and 2 GB /);
    expect(out.match(/40 node-hours/g)).toHaveLength(1);
  });

  it.each(lists)('does not repeat what was granted as asked: $words', async ({ words, path }) => {
    const { out } = await run(words, { [path]: [open, decide(50 * hour)] });
    expect(out).toContain('50 node-hours');
    expect(out).not.toContain('GRANTED');
  });
});

describe('slipway ledger', () => {
  const line = {
    at: '2026-01-01T00:00:00Z',
    kind: 'hold',
    time: -hour,
    space: 0,
    time_left: 100 * hour,
    job_id: null,
    reason: 'job submitted',
  };
  const ledger = (count: number, ...words: string[]) =>
    run(['ledger', 'proj_hpc_one_01', ...words], { '/quotas/': Array(count).fill(line) });
  const linesOf = (text: string) => text.trimEnd().split('\n');

  it('says that there are more lines than it shows, and how to see them', async () => {
    const { out, err } = await ledger(21);
    expect(linesOf(out)).toHaveLength(1 + 20);
    expect(err).toBe(
      'These are the newest 20. To see older ones, add --limit 200 or --until DAY\n',
    );
  });

  it.each([
    { count: 20, words: [] },
    { count: 30, words: ['--limit', '200'] },
  ])('says nothing of the kind after the last one: $count $words', async ({ count, words }) => {
    const { out, err } = await ledger(count, ...words);
    expect([linesOf(out).length, err]).toEqual([1 + count, '']);
  });
});
