import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const quota = {
  id: 1,
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  space_left: 0,
  time_left: 0,
  user: '306328',
};

/** A service where each removal has the time for some of the jobs: so many are left each time. */
async function startBusyService(left: readonly number[]) {
  const counts = [...left];
  const asked: string[] = [];
  const url = await startServer(({ method, url: path = '' }, response) => {
    if (method === 'DELETE') asked.push(path);
    const ended = method === 'DELETE' ? (counts.shift() ?? 0) : 0;
    response.writeHead(ended > 0 ? 409 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(ended > 0 ? refuse(ended) : answer(path)));
  });
  return { asked, environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' } };
}

function answer(path: string): unknown {
  if (path.startsWith('/hpc')) return [];
  return path.startsWith('/projects') ? [{ ...quota, default: true, max_living_jobs: 1 }] : quota;
}

function refuse(ended: number) {
  return {
    type: 'urn:slipway:problem:quota-in-use',
    title: 'The quota is in use',
    status: 409,
    detail: 'Jobs need it.',
    living_jobs: 0,
    ended_jobs: ended,
  };
}

const words = ['admin', 'remove', '306328', 'hpc_one', '--with-jobs', '--reason', 'she has left'];

it('continues while the number of jobs decreases', async () => {
  const { asked, environment } = await startBusyService([2000, 1000]);
  const { code, err } = await openCommandHome().run(words, { environment });
  expect(err).toContain('Remaining: 0 active and 1000 ended jobs. Continuing.');
  expect([code, asked.length]).toEqual([0, 3]);
});

it('stops if the number of jobs does not decrease, and suggests a ban', async () => {
  const { asked, environment } = await startBusyService([2000, 2000, 2000]);
  const { code, err } = await openCommandHome().run(words, { environment });
  expect(err).toContain('slipway admin ban 306328 proj_hpc_one_01');
  expect([code, asked.length]).toEqual([3, 2]);
});

it('refuses a correction with both an amount and a new total', async () => {
  const { environment } = await startBusyService([]);
  const correct = ['admin', 'correct', '306328', 'hpc_one', '--reason', 'x'];
  const both = [
    [...correct, '5h', '--to', '10'],
    [...correct, '--space', '5GB', '--space-to', '10GB'],
    [...correct, '5h', '--space-to', '10GB'],
  ];
  for (const command of both) {
    const { code, err } = await openCommandHome().run(command, { environment });
    expect(code).toBe(2);
    expect(err).toContain('An amount and a new total cannot be combined.');
  }
});

const ended = {
  id: 1,
  job_id: '2A77312F-0000-4000-8000-000000000000',
  owner: '306328',
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  title: 'first study',
  runtime: 1,
  init_date: '2026-11-15T06:00:00Z',
  end_date: '2026-11-15T07:00:00Z',
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
};

/** A service with one ended job, which notes what is to be deleted. */
async function startServiceWithJob(job: object = ended) {
  const deleted: string[] = [];
  const url = await startServer(({ method, url: path = '' }, response) => {
    if (method === 'DELETE') deleted.push(path);
    response.writeHead(200, { 'content-type': 'application/json' });
    const list = path.startsWith('/batches') ? [] : [job];
    const one = method === 'DELETE' ? { ...job, stage: 'DELETED' } : list;
    response.end(JSON.stringify(one));
  });
  return { deleted, environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' } };
}

describe('slipway rm', () => {
  it('asks on a terminal, and deletes only after a yes', async () => {
    const { deleted, environment } = await startServiceWithJob();
    const manner = { columns: 100, environment };
    for (const answer of ['n', '', 'maybe']) {
      const { code, err } = await openCommandHome().run(['rm', '2A77'], { ...manner, answer });
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Nothing was') });
    }
    expect(deleted).toEqual([]);
    const { out } = await openCommandHome().run(['rm', '2A77'], { ...manner, answer: 'y' });
    expect(out).toContain('2A77312F  first study  deleted');
    expect(deleted).toEqual([`/jobs/hpc_one/proj_hpc_one_01/${ended.job_id}/?only=delete`]);
  });

  it.each([
    ['with --yes', ['--yes'], 100],
    ['in a program', [], undefined],
  ])('does not ask %s', async (_, more, columns) => {
    const { deleted, environment } = await startServiceWithJob();
    const manner = { environment, answer: 'n', ...(columns !== undefined && { columns }) };
    await openCommandHome().run(['rm', '2A77', ...more], manner);
    expect(deleted).toHaveLength(1);
  });

  it('deletes a cancelled job as well', async () => {
    const { deleted, environment } = await startServiceWithJob({ ...ended, stage: 'CANCELED' });
    const { out } = await openCommandHome().run(['rm', '2A77'], { environment });
    expect([deleted.length, out.trim()]).toEqual([1, '2A77312F  first study  deleted']);
  });
});
