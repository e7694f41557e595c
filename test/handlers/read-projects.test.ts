import { describe, expect, it } from 'vitest';
import { handler } from '#functions/catalog/read-projects.ts';
import { asUser, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  pathNotFound,
  projectNotFound,
  readResponse,
  systemNotFound,
} from '../fixtures/responses.ts';
import { systemSamples } from '../fixtures/samples.ts';
import { mockTable, sentCommands } from '../fixtures/table-mock.ts';

const table = mockTable();

const ofOne = [
  {
    id: 1,
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    default: true,
    max_living_jobs: 1000,
  },
];
const ofTwo = [
  {
    id: 2,
    project_hpc: 'HPC_TWO',
    project_name: 'proj_hpc_two_01',
    default: true,
    max_living_jobs: 1000,
  },
  {
    id: 3,
    project_hpc: 'HPC_TWO',
    project_name: 'proj_hpc_two_02',
    default: false,
    max_living_jobs: 1000,
  },
];

function get(path: string, query = '') {
  return call(handler, { path, query, headers: asUser() });
}

describe('GET /projects/', () => {
  it.each([
    { path: '/projects/', body: [...ofOne, ...ofTwo] },
    { path: '/projects', body: [...ofOne, ...ofTwo] },
    { path: '/projects/hpc_one/', body: ofOne },
    { path: '/projects/hpc_two/', body: ofTwo },
    { path: '/projects/hpc_two', body: ofTwo },
    { path: '/projects/hpc_one/proj_hpc_one_01/', body: ofOne[0] },
    { path: '/projects/hpc_two/proj_hpc_two_02/', body: ofTwo[1] },
  ])('answers 200 at $path', async ({ path, body }) => {
    expect(readResponse(await get(path))).toEqual(answer(200, body));
    expect(sentCommands(table)).toEqual([]);
  });

  it.each(systemSamples)('answers 404 to a project that is not of $hpc', async (sample) => {
    const { hpc, foreignProject } = sample;
    const response = await get(`/projects/${hpc}/${foreignProject}/`);
    expect(readResponse(response)).toEqual(projectNotFound(hpc, foreignProject));
  });

  it('answers 404 to an unknown system, and to what is below a project', async () => {
    expect(readResponse(await get('/projects/HPC_ONE/'))).toEqual(systemNotFound('HPC_ONE'));
    const below = await get('/projects/hpc_one/proj_hpc_one_01/x/');
    expect(readResponse(below)).toEqual(pathNotFound);
  });

  it('answers 400 to any parameter', async () => {
    expect(readResponse(await get('/projects/', 'hpc=hpc_one'))).toEqual(
      invalidRequest([
        { location: 'query', name: 'hpc', message: 'This path takes no parameters.' },
      ]),
    );
  });
});
