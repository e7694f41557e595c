import { expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const hours = (time: number) => ({ time: time * 3600, space: 0 });
const nothing = {
  opening: hours(0),
  granted: hours(0),
  expired: hours(0),
  corrected: hours(0),
  shared: hours(0),
  used: hours(0),
  drawn: hours(0),
  reserved: hours(0),
  closing: hours(0),
  jobs_ended: 0,
};
const place = { project_hpc: 'HPC_ONE', project_name: 'lab_42' };
const statement = {
  project: 7,
  ...place,
  month: '2026-10',
  until: '2026-11-01T00:00:00Z',
  closed: true,
  ...nothing,
  opening: hours(1000),
  used: hours(1.5),
  closing: hours(998.5),
  rows: [
    { user: null, ...nothing, opening: hours(1000), shared: hours(-20), closing: hours(980) },
    { user: '306330', ...nothing, shared: hours(20), used: hours(1.5), closing: hours(18.5) },
  ],
};

it('shows a month of a project, or prints the table of the service', async () => {
  const asked: string[] = [];
  const url = await startServer((incoming, response) => {
    const { url: path = '', headers } = incoming;
    asked.push(path);
    const isCsv = headers.accept === 'text/csv';
    response.writeHead(200, { 'content-type': isCsv ? 'text/csv' : 'application/json' });
    if (isCsv) response.end('user,time_used\r\n306330,5400\r\n');
    else if (path.startsWith('/hpc/')) {
      response.end(
        JSON.stringify([{ name: 'hpc_one', project_hpc: 'HPC_ONE', charging: 'node', stages: [] }]),
      );
    } else if (path.includes('/statement/')) response.end(JSON.stringify(statement));
    else response.end(JSON.stringify([{ id: 7, ...place, default: false, max_living_jobs: 10 }]));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const run = (...words: string[]) =>
    openCommandHome().run(['project', 'statement', 'lab_42', ...words], { environment });
  const { code, out } = await run('--month', '2026-10');
  expect(code).toBe(0);
  expect(asked).toContain('/projects/hpc_one/lab_42/statement/?month=2026-10&names=true');
  expect(out).toContain('Statement of lab_42 on hpc_one for 2026-10, in node-hours');
  expect(out).toMatch(/As of .*, final/);
  expect(out).toMatch(/306330 +0\.00 +0\.00 +20\.00 +0\.00 +1\.50 .* 18\.50/);
  expect(out).toMatch(/together +1,000\.00 .* 998\.50/);
  expect((await run('--csv')).out).toBe('user,time_used\r\n306330,5400\r\n');
  expect(asked.at(-1)).toBe('/projects/hpc_one/lab_42/statement/?names=false');
  await run('--csv', '--names');
  expect(asked.at(-1)).toBe('/projects/hpc_one/lab_42/statement/?names=true');
});
