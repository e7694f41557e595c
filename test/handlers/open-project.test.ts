import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as close } from '#functions/admin/projects/close-project.ts';
import { handler as open } from '#functions/admin/projects/open-project.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  problem,
  projectNotFound,
  readResponse,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  openedProject,
  projectBody,
  projectItem,
} from '../fixtures/samples.ts';
import { numbersTaken } from '../fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  projectRead,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';

const table = mockTable();
const { hpc, project } = openedProject;
const path = `/admin/projects/${hpc}/${project}/`;
const reason = 'A course.';

let stored: Record<string, unknown> | undefined;

beforeEach(() => {
  table.reset();
  stored = projectItem(openedProject);
  table.on(GetCommand).callsFake(() => ({ Item: stored }));
  table.on(UpdateCommand).resolves({ Attributes: { value: 1 } });
  table.on(TransactWriteCommand).resolves({});
});

function put(body: unknown, at = path) {
  const headers = { ...asAdministrator(), 'content-type': 'application/json' };
  return call(open, { method: 'PUT', path: at, headers, body: Buffer.from(JSON.stringify(body)) });
}

function remove(at = path, query = 'reason=It+is+over.') {
  return call(close, { method: 'DELETE', path: at, query, headers: asAdministrator() });
}

const transactions = () =>
  table.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input.TransactItems);

function saved(Item: object, seen?: number) {
  const values = { ExpressionAttributeValues: { ':seen': seen } };
  const ConditionExpression = expect.any(String);
  return {
    Put: { TableName: tableName, Item, ConditionExpression, ...(seen !== undefined && values) },
  };
}

function act(kind: string, details: object, why = reason) {
  return {
    Put: {
      TableName: tableName,
      Item: {
        PK: expect.stringMatching(/^AUDIT#\d{4}-\d\d$/),
        SK: expect.stringMatching(/^\d{4}-.*Z#[0-9a-f-]{36}$/),
        type: 'act',
        schema_version: 1,
        act_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind,
        at: expect.any(String),
        by: administrator,
        reason: why,
        user: undefined,
        hpc,
        project_name: project,
        job_id: undefined,
        details: { project: 1_000_000, ...details },
      },
      ConditionExpression: 'attribute_not_exists(PK)',
    },
  };
}

const inCatalog = problem({
  status: 409,
  slug: 'project-in-catalog',
  title: "The project is the operator's",
  detail:
    "The project 'proj_hpc_one_01' on 'hpc_one' is in the catalog of this service, so it cannot be changed here. " +
    'Ask the operator to change the catalog, or choose another name.',
});
const catalogPath = `/admin/projects/hpc_one/${hpcOne.project}/`;

describe('PUT /admin/projects/{hpc}/{project_name}/', () => {
  it('opens a project with the next number, and tells the audit', async () => {
    stored = undefined;
    const response = await put({
      reason,
      description: ' A course in spring ',
      max_living_jobs: 20,
    });
    const location = { location: `https://slipway.test/projects/${hpc}/${project}/` };
    expect(readResponse(response)).toEqual(answer(201, projectBody(openedProject), location));
    expect(sentCommands(table).slice(0, 2)).toEqual([
      projectRead(hpc, project),
      numbersTaken('project', 1),
    ]);
    expect(transactions()).toEqual([
      [
        saved(projectItem(openedProject)),
        act('project-opened', {
          description: { before: null, after: 'A course in spring' },
          max_living_jobs: { before: null, after: 20 },
          state: { before: null, after: 'open' },
        }),
      ],
    ]);
  });

  it('takes the limit of the default project, and no description, where none are named', async () => {
    stored = undefined;
    expect(readResponse(await put({ reason }))).toMatchObject(
      answer(201, projectBody(openedProject, { description: '', max_living_jobs: 1000 }), {
        location: expect.any(String),
      }),
    );
  });

  it('changes what is named, and leaves the rest', async () => {
    expect(readResponse(await put({ reason, max_living_jobs: 5 }))).toEqual(
      answer(200, projectBody(openedProject, { max_living_jobs: 5 })),
    );
    expect(transactions()).toEqual([
      [
        saved(projectItem(openedProject, { max_living_jobs: 5, revision: 2 }), 1),
        act('project-changed', { max_living_jobs: { before: 20, after: 5 } }),
      ],
    ]);
    expect(table.commandCalls(UpdateCommand)).toEqual([]);
  });

  it('lets members draw from the budget, by a group too, and no longer', async () => {
    const joined = { shared: true, members: { group: 'lab-42' } };
    expect(readResponse(await put({ reason, ...joined }))).toEqual(
      answer(200, projectBody(openedProject, joined)),
    );
    stored = projectItem(openedProject, { ...joined, revision: 2 });
    expect(readResponse(await put({ reason }))).toEqual(
      answer(200, projectBody(openedProject, joined)),
    );
    expect(readResponse(await put({ reason, shared: false, members: null }))).toEqual(
      answer(200, projectBody(openedProject)),
    );
    expect(transactions()).toEqual([
      [
        saved(projectItem(openedProject, { ...joined, revision: 2 }), 1),
        act('project-changed', {
          shared: { before: null, after: 'yes' },
          group: { before: null, after: 'lab-42' },
        }),
      ],
      [
        saved(projectItem(openedProject, { revision: 3 }), 2),
        act('project-changed', {
          shared: { before: 'yes', after: null },
          group: { before: 'lab-42', after: null },
        }),
      ],
    ]);
  });

  it('opens a closed one again, with its number', async () => {
    stored = projectItem(openedProject, { closed: true, revision: 4 });
    expect(readResponse(await put({ reason }))).toEqual(answer(200, projectBody(openedProject)));
    expect(transactions()).toEqual([
      [
        saved(projectItem(openedProject, { revision: 5 }), 4),
        act('project-opened', { state: { before: 'closed', after: 'open' } }),
      ],
    ]);
  });

  it('writes nothing where nothing changes', async () => {
    const same = { reason, description: 'A course in spring', max_living_jobs: 20 };
    expect(readResponse(await put(same))).toEqual(answer(200, projectBody(openedProject)));
    expect(transactions()).toEqual([]);
  });

  it('decides again where another request opened it first', async () => {
    stored = undefined;
    table
      .on(TransactWriteCommand)
      .callsFakeOnce(() => {
        stored = projectItem(openedProject);
        throw canceled([conditionFailed(), passed]);
      })
      .resolves({});
    expect(readResponse(await put({ reason, description: 'A course in spring' }))).toEqual(
      answer(200, projectBody(openedProject)),
    );
    expect(transactions()).toHaveLength(1);
  });

  it('answers 409 to a project of the catalog, and reads nothing', async () => {
    expect(readResponse(await put({ reason }, catalogPath))).toEqual(inCatalog);
    expect(readResponse(await remove(catalogPath))).toEqual(inCatalog);
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 400 to a name that no project can have', async () => {
    const message =
      "It must start with a lower-case letter and have at most 63 lower-case letters, digits and '_'.";
    expect(readResponse(await put({ reason }, `/admin/projects/${hpc}/Spring-2027/`))).toEqual(
      invalidRequest([{ location: 'path', name: 'project_name', message }]),
    );
  });

  it('answers 400 with all that is wrong, and reads nothing', async () => {
    const whole = 'It must be a whole number from 1 to 1000000.';
    const body = { reason: ' ', description: 'x'.repeat(501), max_living_jobs: 0.5, colour: 'red' };
    expect(JSON.parse((await put(body)).body ?? '').errors).toEqual([
      {
        location: 'body',
        name: 'colour',
        message:
          'Unknown field. Known fields: description, max_living_jobs, shared, members, reason.',
      },
      { location: 'body', name: 'description', message: 'It must have at most 500 characters.' },
      { location: 'body', name: 'max_living_jobs', message: whole },
      { location: 'body', name: 'reason', message: 'It must not be empty: say why.' },
    ]);
    for (const max_living_jobs of [0, 1_000_001, '7']) {
      expect((await put({ reason, max_living_jobs })).statusCode).toBe(400);
    }
    for (const members of ['lab-42', {}, { group: '' }, { group: 'a', role: 'b' }]) {
      expect((await put({ reason, members })).statusCode).toBe(400);
    }
    expect((await put({ reason, shared: 'yes' })).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 404 to an unknown system', async () => {
    const response = await put({ reason }, '/admin/projects/hpc_three/spring/');
    expect(readResponse(response)).toEqual(systemNotFound('hpc_three'));
  });
});

describe('DELETE /admin/projects/{hpc}/{project_name}/', () => {
  it('closes the project, and tells the audit', async () => {
    const closed = projectBody(openedProject, { closed: true });
    expect(readResponse(await remove())).toEqual(answer(200, closed));
    expect(transactions()).toEqual([
      [
        saved(projectItem(openedProject, { closed: true, revision: 2 }), 1),
        act('project-closed', { state: { before: 'open', after: 'closed' } }, 'It is over.'),
      ],
    ]);
  });

  it('writes nothing where it is closed', async () => {
    stored = projectItem(openedProject, { closed: true });
    const closed = projectBody(openedProject, { closed: true });
    expect(readResponse(await remove())).toEqual(answer(200, closed));
    expect(transactions()).toEqual([]);
  });

  it('answers 404 where there is none, and 400 without a reason', async () => {
    stored = undefined;
    expect(readResponse(await remove())).toEqual(projectNotFound(hpc, project));
    expect((await remove(path, '')).statusCode).toBe(400);
  });
});
