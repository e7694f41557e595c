import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler } from '#functions/catalog/read-projects.ts';
import { ask, asUser } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import {
  answer,
  invalidPart,
  pathNotFound,
  projectNotFound,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  openedProject,
  projectBody,
  projectItem,
  type SystemSample,
  secondProject,
} from '../fixtures/samples.ts';
import { projectRead, sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();

/** A project of the catalog as a body shows it. */
function ofCatalog(sample: SystemSample, isDefault = true) {
  const { description: _, closed: __, ...shown } = projectBody(sample, { default: isDefault });
  return { ...shown, max_living_jobs: 1000 };
}
const ofOne = [ofCatalog(hpcOne)];
const ofTwo = [ofCatalog(hpcTwo), ofCatalog(secondProject, false)];

const get = (path: string, query = '') => ask(handler, { path, query, headers: asUser() });

describe('GET /projects/', () => {
  it.each([
    { path: '/projects/', body: [...ofOne, ...ofTwo] },
    { path: '/projects', body: [...ofOne, ...ofTwo] },
    { path: '/projects/hpc_one/', body: ofOne },
    { path: '/projects/hpc_two', body: ofTwo },
  ])('answers 200 at $path', async ({ path, body }) => {
    expect(await get(path)).toEqual(answer(200, body));
    expect(table.sent()).toEqual(['Query']);
  });

  it('answers 200 to projects of the catalog, and reads nothing', async () => {
    expect(await get('/projects/hpc_one/proj_hpc_one_01/')).toEqual(answer(200, ofOne[0]));
    expect(await get('/projects/hpc_two/proj_hpc_two_02/')).toEqual(answer(200, ofTwo[1]));
    expect(table.sent()).toEqual([]);
  });

  it('shows what was opened at run time behind the catalog, in the order of numbers', async () => {
    const facts = { number: 1_000_007, closed: true, description: '' };
    const later = projectItem(openedProject, {
      SK: 'hpc_two#autumn',
      project_name: 'autumn',
      ...facts,
    });
    // What the catalog has come to name is the catalog's.
    const known = { ...projectItem(hpcTwo), number: 1_000_008 };
    await table.hold(later, projectItem(openedProject), known);
    const autumn = { id: 1_000_007, project_name: 'autumn', description: '', closed: true };
    expect(await get('/projects/')).toEqual(
      answer(200, [
        ...ofOne,
        ...ofTwo,
        projectBody(openedProject),
        projectBody(openedProject, autumn),
      ]),
    );
    expect(await get('/projects/hpc_one/')).toEqual(answer(200, ofOne));
  });

  it('shows one as it is now, each time, or 404: on a mocked table', async () => {
    const path = `/projects/hpc_two/${openedProject.project}/`;
    table.mock
      .on(GetCommand)
      .resolvesOnce({ Item: projectItem(openedProject) })
      .resolvesOnce({ Item: projectItem(openedProject, { closed: true, revision: 2 }) })
      .resolves({});
    expect(await get(path)).toEqual(answer(200, projectBody(openedProject)));
    expect(await get(path)).toEqual(answer(200, projectBody(openedProject, { closed: true })));
    expect(await get(path)).toEqual(projectNotFound('hpc_two', openedProject.project));
    const read = projectRead('hpc_two', openedProject.project);
    expect(sentCommands(table.mock)).toEqual([read, read, read]);
  });

  it('answers 404 to a project of the other system, an unknown system, and below a project', async () => {
    const foreign = await get('/projects/hpc_one/proj_hpc_two_01/');
    expect(foreign).toEqual(projectNotFound('hpc_one', 'proj_hpc_two_01'));
    expect(await get('/projects/HPC_ONE/')).toEqual(systemNotFound('HPC_ONE'));
    expect(await get('/projects/hpc_one/proj_hpc_one_01/x/')).toEqual(pathNotFound);
  });

  it('answers 400 to an unknown parameter', async () => {
    expect(await get('/projects/', 'hpc=hpc_one')).toEqual(
      invalidPart('query', 'hpc', 'Unknown parameter. Known parameters: led.'),
    );
  });
});
