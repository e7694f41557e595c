import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
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
import { openedProject, projectBody, projectItem, systemSamples } from '../fixtures/samples.ts';
import { mockTable, openedQuery, projectRead, sentCommands } from '../fixtures/table-mock.ts';

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

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(GetCommand).resolves({});
});

describe('GET /projects/', () => {
  it.each([
    { path: '/projects/', body: [...ofOne, ...ofTwo] },
    { path: '/projects', body: [...ofOne, ...ofTwo] },
    { path: '/projects/hpc_one/', body: ofOne },
    { path: '/projects/hpc_two/', body: ofTwo },
    { path: '/projects/hpc_two', body: ofTwo },
  ])('answers 200 at $path', async ({ path, body }) => {
    expect(readResponse(await get(path))).toEqual(answer(200, body));
    expect(sentCommands(table)).toEqual([openedQuery]);
  });

  it.each([
    { path: '/projects/hpc_one/proj_hpc_one_01/', body: ofOne[0] },
    { path: '/projects/hpc_two/proj_hpc_two_02/', body: ofTwo[1] },
  ])('answers 200 at $path, and reads nothing', async ({ path, body }) => {
    expect(readResponse(await get(path))).toEqual(answer(200, body));
    expect(sentCommands(table)).toEqual([]);
  });

  it('shows what was opened at run time behind the catalog, in the order of numbers', async () => {
    const later = { project_name: 'autumn', number: 1_000_007, closed: true, description: '' };
    const known = { project_name: 'proj_hpc_two_01', number: 1_000_008 };
    table.on(QueryCommand).resolves({
      Items: [later, {}, known].map((facts) => projectItem(openedProject, facts)),
    });
    const shown = [
      projectBody(openedProject),
      projectBody(openedProject, {
        id: 1_000_007,
        project_name: 'autumn',
        description: '',
        closed: true,
      }),
    ];
    // What the catalog has come to name is the catalog's.
    expect(readResponse(await get('/projects/'))).toEqual(
      answer(200, [...ofOne, ...ofTwo, ...shown]),
    );
    expect(readResponse(await get('/projects/hpc_one/'))).toEqual(answer(200, ofOne));
  });

  it('shows one as it is now, each time', async () => {
    const path = `/projects/hpc_two/${openedProject.project}/`;
    table
      .on(GetCommand)
      .resolvesOnce({ Item: projectItem(openedProject) })
      .resolves({ Item: projectItem(openedProject, { closed: true, revision: 2 }) });
    expect(readResponse(await get(path))).toEqual(answer(200, projectBody(openedProject)));
    const closed = projectBody(openedProject, { closed: true });
    expect(readResponse(await get(path))).toEqual(answer(200, closed));
    const read = projectRead('hpc_two', openedProject.project);
    expect(sentCommands(table)).toEqual([read, read]);
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

  it('answers 400 to an unknown parameter', async () => {
    const message = 'Unknown parameter. Known parameters: led.';
    expect(readResponse(await get('/projects/', 'hpc=hpc_one'))).toEqual(
      invalidRequest([{ location: 'query', name: 'hpc', message }]),
    );
  });
});
