import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';

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
  const server = createServer(({ method, url = '' }, response) => {
    if (method === 'DELETE') asked.push(url);
    const ended = method === 'DELETE' ? (counts.shift() ?? 0) : 0;
    const answer = url.startsWith('/projects')
      ? [{ ...quota, default: true, max_living_jobs: 1 }]
      : url.startsWith('/hpc')
        ? []
        : quota;
    const problem = {
      type: 'urn:slipway:problem:quota-in-use',
      title: 'The quota is in use',
      status: 409,
      detail: 'Jobs need it.',
      living_jobs: 0,
      ended_jobs: ended,
    };
    response.writeHead(ended > 0 ? 409 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(ended > 0 ? problem : answer));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    environment: { SLIPWAY_URL: `http://127.0.0.1:${port}`, SLIPWAY_TOKEN: 'a.b.c' },
  };
}

const words = ['admin', 'remove', '306328', 'hpc_one', '--with-jobs', '--reason', 'she has left'];

it('goes on while there are fewer jobs each time', async () => {
  const { asked, environment } = await startBusyService([2000, 1000]);
  const { code, err } = await openCommandHome().run(words, { environment });
  expect(err).toContain('Still there: 0 living and 1000 ended jobs. Going on.');
  expect([code, asked.length]).toEqual([0, 3]);
});

it('stops where there are as many as before, and says how to end it', async () => {
  const { asked, environment } = await startBusyService([2000, 2000, 2000]);
  const { code, err } = await openCommandHome().run(words, { environment });
  expect(err).toContain('slipway admin ban 306328 proj_hpc_one_01');
  expect([code, asked.length]).toEqual([3, 2]);
});
