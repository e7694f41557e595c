import { describe, expect, it } from 'vitest';
import { job, scriptClient } from '../fixtures/scripted-client.ts';

function page(items: unknown, next?: string): Response {
  const link = next && { link: `<https://elsewhere.test${next}>; rel="next"` };
  return Response.json(items, { headers: { ...link } });
}

const table = (rows: string, next?: string) =>
  new Response(`user,time_used\r\n${rows}`, {
    headers: { ...(next && { link: `<https://elsewhere.test${next}>; rel="next"` }) },
  });

describe('a list', () => {
  const pages = [
    page([{ ...job, id: 1 }], '/jobs/?cursor=b'),
    page([], '/jobs/?cursor=c'),
    page([{ ...job, id: 2 }]),
  ];

  it('returns its first page when awaited', async () => {
    const { client, asked } = scriptClient(pages);
    expect(await client.listJobs({ limit: 1 })).toMatchObject([{ id: 1 }]);
    expect(asked.map(({ path }) => path)).toEqual(['/jobs/?limit=1']);
  });

  it('returns all items when iterated, and fetches each page only when needed', async () => {
    const { client, asked } = scriptClient(pages);
    const seen: number[] = [];
    for await (const { id } of client.listJobs()) {
      seen.push(id);
      if (id === 1) expect(asked).toHaveLength(1);
    }
    expect(seen).toEqual([1, 2]);
    expect(asked.map(({ path }) => path)).toEqual(['/jobs/', '/jobs/?cursor=b', '/jobs/?cursor=c']);
  });

  it('pages through deliveries', async () => {
    const { client, asked } = scriptClient([
      page([{ event_id: 'b' }], '/webhooks/w/deliveries/?cursor=b'),
      page([{ event_id: 'a' }]),
    ]);
    const seen: string[] = [];
    for await (const { event_id: id } of client.listDeliveries({ webhook_id: 'w' })) seen.push(id);
    expect(seen).toEqual(['b', 'a']);
    expect(asked.map(({ path }) => path)).toEqual([
      '/webhooks/w/deliveries/',
      '/webhooks/w/deliveries/?cursor=b',
    ]);
  });

  it('returns ledger lines, or sums on request', async () => {
    const { client } = scriptClient([page([{ kind: 'hold', time: -3600 }])]);
    const place = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
    for await (const line of client.readLedger(place)) expect(line.kind).toBe('hold');
    const sums = scriptClient([page([{ day: '2026-11-15', used: { time: 60, space: 0 } }])]);
    const [sum] = await sums.client.readLedger({ ...place, sum: 'day' });
    expect(sum?.used.time).toBe(60);
    expect(sums.asked[0]?.path).toBe('/quotas/hpc_one/proj_hpc_one_01/ledger/?sum=day');
  });
});

describe('a CSV report', () => {
  it('joins all pages under one header line', async () => {
    const { client, asked } = scriptClient([
      table('1,10\r\n2,20\r\n', '/admin/reports/usage/?by=user&cursor=b'),
      table('3,30\r\n'),
    ]);
    const whole = await client.reportUsageAsCsv({ by: 'user' });
    expect(whole).toBe('user,time_used\r\n1,10\r\n2,20\r\n3,30\r\n');
    expect(asked.map(({ path }) => path)).toEqual([
      '/admin/reports/usage/?by=user',
      '/admin/reports/usage/?by=user&cursor=b',
    ]);
    expect(asked.every(({ headers }) => headers.get('accept') === 'text/csv')).toBe(true);
  });
});

describe('a bulk request', () => {
  const row = { user_id: '306328', hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
  const granted = { line: 1, outcome: 'granted', user: '306328', change: null };

  it('is repeated with its key until all rows are done, and keeps their first outcome', async () => {
    const { client, asked } = scriptClient([
      page([granted, { line: 2, outcome: 'not-done' }, { line: 3, outcome: 'not-done' }]),
      page([
        { ...granted, outcome: 'unchanged' },
        { line: 2, outcome: 'refused', problem: {} },
        { line: 3, outcome: 'not-done' },
      ]),
      page([
        { ...granted, outcome: 'unchanged' },
        { line: 2, outcome: 'refused', problem: {} },
        { ...granted, line: 3 },
      ]),
    ]);
    const rows = [1, 2, 3].map((time) => ({ ...row, add: { time } }));
    const outcomes = await client.grantQuotas({ rows, reason: 'a course in spring' });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['granted', 'refused', 'granted']);
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/admin/quotas/?reason=a+course+in+spring',
      body: rows.map((each) => JSON.stringify(each)).join('\n'),
    });
  });

  it('returns the outcomes as they are if no row makes progress', async () => {
    const { client, asked } = scriptClient([page([{ line: 1, outcome: 'not-done' }])]);
    const outcomes = await client.mapAccounts({ csv: 'user_id,hpc,account\n1,hpc_one,ada\n' });
    expect(outcomes).toEqual([{ line: 1, outcome: 'not-done' }]);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.headers.get('content-type')).toBe('text/csv');
  });
});
