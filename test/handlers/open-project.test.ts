import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { handler as close } from '#functions/admin/projects/close-project.ts';
import { handler as open } from '#functions/admin/projects/open-project.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import {
  answer,
  invalidPart,
  invalidRequest,
  projectNotFound,
  refusal,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  openedProject,
  projectBody,
  projectItem,
} from '../fixtures/samples.ts';
import { sentTransactions } from '../fixtures/table-mock.ts';

const table = useTable();
const { hpc, project } = openedProject;
const path = `/admin/projects/${hpc}/${project}/`;
const reason = 'A course.';

const put = (body: object = {}, at = path) =>
  ask(open, { method: 'PUT', path: at, headers: asAdministrator() }, { reason, ...body });

const remove = (at = path, query = 'reason=It+is+over.') =>
  ask(close, { method: 'DELETE', path: at, query, headers: asAdministrator() });

/** What is stored of the project, and what the audit says was changed, act by act. */
async function expectStored(facts: object, ...acts: [kind: string, details: object][]) {
  expect(await table.read(projectItem(openedProject))).toEqual(projectItem(openedProject, facts));
  expect((await table.list('AUDIT#')).map(({ kind, details }) => [kind, details])).toEqual(
    acts.map(([kind, details]) => [kind, { project: 1_000_000, ...details }]),
  );
  expect(table.writes()).toBe(acts.length);
}

const inCatalog = refusal(409, 'project-in-catalog');
const catalogPath = `/admin/projects/hpc_one/${hpcOne.project}/`;

describe('PUT /admin/projects/{hpc}/{project_name}/', () => {
  it('opens a project with the next number, and tells the audit', async () => {
    const location = `https://slipway.test/projects/${hpc}/${project}/`;
    expect(await put({ description: ' A course in spring ', max_living_jobs: 20 })).toEqual(
      answer(201, projectBody(openedProject), { location }),
    );
    expect(table.sent()).toEqual(['GetItem', 'UpdateItem', 'TransactWriteItems']);
    expect(await table.read(projectItem(openedProject))).toEqual(projectItem(openedProject));
    const details = {
      project: 1_000_000,
      description: { before: null, after: 'A course in spring' },
      max_living_jobs: { before: null, after: 20 },
      state: { before: null, after: 'open' },
    };
    expect(await table.list('AUDIT#')).toMatchObject([
      { kind: 'project-opened', by: administrator, reason, hpc, project_name: project, details },
    ]);
  });

  it('takes the limit of the default project, and no description, where none are named', async () => {
    const { statusCode, body } = await put();
    expect([statusCode, body]).toEqual([
      201,
      projectBody(openedProject, { description: '', max_living_jobs: 1000 }),
    ]);
  });

  it('changes what is named, leaves the rest, and writes nothing where nothing changes', async () => {
    await table.hold(projectItem(openedProject));
    const changed = answer(200, projectBody(openedProject, { max_living_jobs: 5 }));
    expect(await put({ max_living_jobs: 5 })).toEqual(changed);
    expect(await put({ description: 'A course in spring', max_living_jobs: 5 })).toEqual(changed);
    await expectStored({ max_living_jobs: 5, revision: 2 }, [
      'project-changed',
      { max_living_jobs: { before: 20, after: 5 } },
    ]);
  });

  it('lets members draw from the budget, by a group too, and no longer', async () => {
    await table.hold(projectItem(openedProject));
    const joined = { shared: true, members: { group: 'lab-42' } };
    const shown = answer(200, projectBody(openedProject, joined));
    expect(await put(joined)).toEqual(shown);
    expect(await put()).toEqual(shown);
    expect(await put({ shared: false, members: null })).toEqual(
      answer(200, projectBody(openedProject)),
    );
    await expectStored(
      { revision: 3 },
      [
        'project-changed',
        { shared: { before: null, after: 'yes' }, group: { before: null, after: 'lab-42' } },
      ],
      [
        'project-changed',
        { shared: { before: 'yes', after: null }, group: { before: 'lab-42', after: null } },
      ],
    );
  });

  it('opens a closed one again, with its number', async () => {
    await table.hold(projectItem(openedProject, { closed: true, revision: 4 }));
    expect(await put()).toEqual(answer(200, projectBody(openedProject)));
    await expectStored({ revision: 5 }, [
      'project-opened',
      { state: { before: 'closed', after: 'open' } },
    ]);
  });

  it('answers 409 to a project of the catalog, and reads nothing', async () => {
    expect(await put({}, catalogPath)).toMatchObject(inCatalog);
    expect(await remove(catalogPath)).toMatchObject(inCatalog);
    expect(table.sent()).toEqual([]);
  });

  it('answers 400 to a name that no project can have, and 404 to an unknown system', async () => {
    const message =
      "It must start with a lower-case letter and have at most 63 lower-case letters, digits and '_'.";
    expect(await put({}, `/admin/projects/${hpc}/Spring-2027/`)).toEqual(
      invalidPart('path', 'project_name', message),
    );
    expect(await put({}, '/admin/projects/hpc_three/spring/')).toEqual(systemNotFound('hpc_three'));
  });

  it('answers 400 with all that is wrong, and reads nothing', async () => {
    const wrong = (name: string, message: string) => ({ location: 'body' as const, name, message });
    const body = { reason: ' ', description: 'x'.repeat(501), max_living_jobs: 0.5, colour: 'red' };
    const known = 'description, max_living_jobs, shared, members, reason';
    expect(await put(body)).toEqual(
      invalidRequest([
        wrong('colour', `Unknown field. Known fields: ${known}.`),
        wrong('description', 'It must have at most 500 characters.'),
        wrong('max_living_jobs', 'It must be a whole number from 1 to 1000000.'),
        wrong('reason', 'It must not be empty: say why.'),
      ]),
    );
    const groups = ['lab-42', {}, { group: '' }, { group: 'a', role: 'b' }];
    for (const each of [
      ...[0, 1_000_001, '7'].map((max_living_jobs) => ({ max_living_jobs })),
      ...groups.map((members) => ({ members })),
      { shared: 'yes' },
    ]) {
      expect((await put(each)).statusCode, JSON.stringify(each)).toBe(400);
    }
    expect(table.sent()).toEqual([]);
  });
});

describe('DELETE /admin/projects/{hpc}/{project_name}/', () => {
  it('closes the project once, and tells the audit', async () => {
    await table.hold(projectItem(openedProject));
    const closed = answer(200, projectBody(openedProject, { closed: true }));
    expect(await remove()).toEqual(closed);
    expect(await remove()).toEqual(closed);
    await expectStored({ closed: true, revision: 2 }, [
      'project-closed',
      { state: { before: 'open', after: 'closed' } },
    ]);
    expect(await table.list('AUDIT#')).toMatchObject([{ reason: 'It is over.' }]);
  });

  it('answers 404 where there is none, and 400 without a reason', async () => {
    expect(await remove()).toEqual(projectNotFound(hpc, project));
    expect((await remove(path, '')).statusCode).toBe(400);
  });
});

describe('on a mocked table', () => {
  it.each([
    ['changes', () => put({ max_living_jobs: 5 })],
    ['closes', () => remove()],
  ])('%s only the project that was read', async (_, change) => {
    table.mock
      .on(GetCommand)
      .resolvesOnce({ Item: projectItem(openedProject) })
      .resolves({});
    table.mock.on(TransactWriteCommand).resolves({});
    expect((await change()).statusCode).toBe(200);
    const Put = { ExpressionAttributeValues: { ':seen': 1 } };
    expect(sentTransactions(table.mock)).toMatchObject([[{ Put }, { Put: {} }]]);
    expect((await remove()).statusCode).toBe(404);
  });
});
