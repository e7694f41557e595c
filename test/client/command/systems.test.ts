import { expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const system = {
  name: 'hpc_one',
  project_hpc: 'HPC_ONE',
  charging: 'node',
  stage_meanings: {},
  payload: { required: ['command'] },
  limits: { node_number: 4, core_number: 8, runtime: 24 },
  projects: ['proj_hpc_one_01'],
  datasets: [
    { name: 'genomes', path: '/data/genomes', description: 'Genomes.', licence: 'CC BY 4.0' },
  ],
  inputs: { hosts: ['data.example.org'], paid_by: 'site' },
  outputs: { hosts: [], buckets: ['s3://lab-data/runs/*'], paid_by: 'site' },
  announcement: 'Maintenance on 3 December, from 8 to 12.',
};

it.each([
  [['systems'], true],
  [['systems', '--csv'], false],
])('slipway %j says what a system announces, and which data it has: %s', async (words, isSaid) => {
  const url = await startServer(({ url: path = '' }, response) => {
    const status = { status: 'up', version: '0.1.0', systems: [{ name: 'hpc_one', status: 'up' }] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(path === '/hpc/' ? [system] : status));
  });
  const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
  const { out, err, code } = await openCommandHome().run(words, { environment });
  expect(code).toBe(0);
  const said = `${out}${err}`;
  expect(said.includes(`hpc_one: ${system.announcement}`)).toBe(isSaid);
  expect(said.includes('hpc_one: Jobs may fetch files from data.example.org.')).toBe(isSaid);
  expect(said.includes('hpc_one: Jobs may send files to s3://lab-data/runs/*.')).toBe(isSaid);
  expect(said.includes('hpc_one: /data/genomes: Genomes. Licence: CC BY 4.0')).toBe(isSaid);
});
