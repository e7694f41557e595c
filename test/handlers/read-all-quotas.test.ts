import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-quotas.ts';
import { userId } from '#test/fixtures/names.ts';
import { asAdministrator, asUser, call } from '../fixtures/call.ts';
import {
  answer,
  invalidRequest,
  pathNotFound,
  problem,
  projectNotFound,
  quotaNotFound,
  readResponse,
  systemNotFound,
} from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  openedProject,
  otherUser,
  projectItem,
  quotaBody,
  quotaItem,
  type SystemSample,
  secondProject,
  systemSamples,
  user,
} from '../fixtures/samples.ts';
import {
  mockTable,
  openedQuery,
  projectRead,
  quotaQuery,
  quotaRead,
  sentCommands,
  tableName,
} from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(GetCommand).resolves({});
});

function get(path: string, query = '', headers = asAdministrator()) {
  return call(handler, { path, query, headers });
}

describe('GET /admin/quotas/{user_id}/', () => {
  it('answers 200 with all quotas of that user in ascending project', async () => {
    const items = [quotaItem(hpcTwo, { id: 1 }), quotaItem(hpcOne, { id: 2 })];
    table.on(QueryCommand).resolves({ Items: items });
    const response = await get(`/admin/quotas/${user}/`);
    expect(readResponse(response)).toEqual(
      answer(200, [quotaBody(hpcOne, { id: 2 }), quotaBody(hpcTwo, { id: 1 })]),
    );
    expect(sentCommands(table)).toEqual([quotaQuery('QUOTA#')]);
  });

  it('answers an empty array for a user who never called, and creates nothing', async () => {
    const response = await get('/admin/quotas/999999/');
    expect(readResponse(response)).toEqual(answer(200, []));
    expect(sentCommands(table)).toEqual([quotaQuery('QUOTA#', userId('999999'))]);
  });
});

describe.each(systemSamples)('GET /admin/quotas/{user_id}/{hpc}/ on $hpc', (sample) => {
  const { hpc, project, foreignProject, projectHpc } = sample;

  it('answers 200 with the quotas of the system', async () => {
    table.on(QueryCommand).resolves({ Items: [quotaItem(sample)] });
    const response = await get(`/admin/quotas/${user}/${hpc}/`);
    expect(readResponse(response)).toEqual(answer(200, [quotaBody(sample)]));
    expect(sentCommands(table)).toEqual([quotaQuery(`QUOTA#${hpc}#`)]);
  });

  it('answers 200 with the one quota of the project, also without the slash', async () => {
    table.on(GetCommand).resolves({ Item: quotaItem(sample) });
    for (const slash of ['/', '']) {
      const response = await get(`/admin/quotas/${user}/${hpc}/${project}${slash}`);
      expect(readResponse(response)).toEqual(answer(200, quotaBody(sample)));
    }
    expect(sentCommands(table)).toEqual([quotaRead(sample), quotaRead(sample)]);
  });

  it('answers 404 to a quota that is not there, and creates nothing', async () => {
    const response = await get(`/admin/quotas/${user}/${hpc}/${project}/`);
    expect(readResponse(response)).toEqual(quotaNotFound(hpc, project));
    expect(sentCommands(table)).toEqual([quotaRead(sample)]);
  });

  it('answers 404 to unknown names, and reads no quota', async () => {
    const foreign = await get(`/admin/quotas/${user}/${hpc}/${foreignProject}/`);
    expect(readResponse(foreign)).toEqual(projectNotFound(hpc, foreignProject));
    const upper = await get(`/admin/quotas/${user}/${projectHpc}/`);
    expect(readResponse(upper)).toEqual(systemNotFound(projectHpc));
    expect(sentCommands(table)).toEqual([projectRead(hpc, foreignProject)]);
  });
});

describe('GET /admin/quotas/..., refused', () => {
  it.each([
    `/admin/quotas/${user}/`,
    `/admin/quotas/${user}/hpc_one/`,
    '/admin/quotas/alice/',
    `/admin/quotas/${user}/hpc_three/`,
  ])('answers 403 at %s to a caller who is no administrator, and reads nothing', async (path) => {
    const response = await get(path, '', asUser());
    expect(readResponse(response)).toEqual(
      problem({
        status: 403,
        slug: 'not-administrator',
        title: 'Administrators only',
        detail: 'Only administrators may use this path. Ask an administrator for help.',
      }),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it.each([
    '/admin/quotas/306328%23/',
    '/admin/quotas/306328/hpc_one/proj_hpc_one_01/x/',
    `/admin/quotas/${'1'.repeat(33)}/`,
    `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/ledger/x/`,
  ])('answers 404 to %s, and reads nothing', async (path) => {
    expect(readResponse(await get(path))).toEqual(pathNotFound);
    expect(sentCommands(table)).toEqual([]);
  });

  it.each(['alice', '３０６', '-1', 'HPC_ONE', 'hpc_one', 'hpc_one/proj_hpc_one_01'])(
    'answers 404 to %s in the place of a user',
    async (name) => {
      expect(readResponse(await get(`/admin/quotas/${name}/`))).toEqual(pathNotFound);
      expect(sentCommands(table)).toEqual([]);
    },
  );

  it('answers 400 to parameters of other lists, and reads nothing', async () => {
    const response = await get(`/admin/quotas/${user}/`, 'limit=1');
    expect(readResponse(response)).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'limit',
          message: 'Unknown parameter. Known parameters: expand.',
        },
      ]),
    );
    expect(sentCommands(table)).toEqual([]);
  });
});

const usage = {
  time: { granted: 18_000_000, left: 18_000_000, held: 0, used: 0 },
  space: { granted: 10_000_000, left: 10_000_000, held: 0, used: 0 },
  living_jobs: 0,
  valid_until: null,
  renews: null,
  banned: null,
};

/** What the registry says of users in a project. */
function registered(sample: SystemSample, ...users: string[]) {
  return {
    Items: users.map((name) => ({
      PK: `USER#${name}`,
      SK: `QUOTA#${sample.hpc}#${sample.project}`,
    })),
  };
}

function registryQuery({ hpc, project }: SystemSample, count: number, after?: string) {
  return [
    'QueryCommand',
    {
      TableName: tableName,
      IndexName: 'registry',
      KeyConditionExpression:
        after === undefined
          ? 'registry = :registry'
          : 'registry = :registry AND registry_key > :after',
      ExpressionAttributeValues: {
        ':registry': `REGISTRY#QUOTAS#${hpc}#${project}`,
        ...(after !== undefined && { ':after': after }),
      },
      Limit: count,
    },
  ];
}

const itemsOf = (...items: Record<string, unknown>[]) => ({ Responses: { [tableName]: items } });

describe('GET /admin/quotas/', () => {
  it('answers everybody’s quotas, project by project, from the registry and the table', async () => {
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [] })
      .resolvesOnce(registered(hpcOne, user, otherUser))
      .resolvesOnce(registered(hpcTwo, user))
      .resolves({ Items: [] });
    const items = [quotaItem(hpcTwo), quotaItem(hpcOne), quotaItem(hpcOne, { user: otherUser })];
    table.on(BatchGetCommand).resolves(itemsOf(...items));
    expect(readResponse(await get('/admin/quotas/'))).toEqual(
      answer(200, [quotaBody(hpcOne), quotaBody(hpcOne, { user: otherUser }), quotaBody(hpcTwo)]),
    );
    const keys = [
      { PK: `USER#${user}`, SK: 'QUOTA#hpc_one#proj_hpc_one_01' },
      { PK: `USER#${otherUser}`, SK: 'QUOTA#hpc_one#proj_hpc_one_01' },
      { PK: `USER#${user}`, SK: 'QUOTA#hpc_two#proj_hpc_two_01' },
    ];
    expect(sentCommands(table)).toEqual([
      openedQuery,
      registryQuery(hpcOne, 101),
      registryQuery(hpcTwo, 99),
      registryQuery(secondProject, 98),
      ['BatchGetCommand', { RequestItems: { [tableName]: { Keys: keys, ConsistentRead: true } } }],
    ]);
  });

  it('answers an empty array where nobody has one', async () => {
    expect(readResponse(await get('/admin/quotas'))).toEqual(answer(200, []));
  });

  it('leaves out what the registry still names and is gone, and asks again for what is left out', async () => {
    table
      .on(QueryCommand)
      .resolvesOnce({ Items: [] })
      .resolvesOnce(registered(hpcOne, '1', user, '3'))
      .resolves({ Items: [] });
    const missing = { PK: `USER#${user}`, SK: 'QUOTA#hpc_one#proj_hpc_one_01' };
    table
      .on(BatchGetCommand)
      .resolvesOnce({ UnprocessedKeys: { [tableName]: { Keys: [missing] } } })
      .resolves(itemsOf(quotaItem(hpcOne)));
    expect(readResponse(await get('/admin/quotas/'))).toEqual(answer(200, [quotaBody(hpcOne)]));
    expect(table.commandCalls(BatchGetCommand)).toHaveLength(2);
  });

  it.each([
    { query: 'hpc=hpc_one', samples: [hpcOne] },
    { query: 'hpc=hpc_two', samples: [hpcTwo, secondProject, openedProject] },
    { query: 'hpc=hpc_two&project=proj_hpc_two_02', samples: [secondProject] },
    { query: 'project=proj_hpc_two_02', samples: [secondProject] },
    { query: `project=${openedProject.project}`, samples: [openedProject] },
  ])('reads only the projects that ?$query selects', async ({ query, samples }) => {
    const Items = [projectItem(openedProject)];
    table.on(QueryCommand, openedQuery[1]).resolves({ Items });
    expect(readResponse(await get('/admin/quotas/', query))).toEqual(answer(200, []));
    const queries = sentCommands(table).filter(([, input]) => Object(input).IndexName);
    expect(queries).toEqual(samples.map((sample) => registryQuery(sample, 101)));
  });

  it.each([
    { query: `user=${user}`, shown: [hpcOne, hpcTwo, secondProject] },
    { query: `user=${user}&hpc=hpc_two`, shown: [hpcTwo, secondProject] },
    { query: `user=${user}&project=proj_hpc_one_01`, shown: [hpcOne] },
    { query: `user=${user}&hpc=hpc_two&project=proj_hpc_two_02`, shown: [secondProject] },
  ])('answers one user’s quotas to ?$query, in the order of the projects', async (example) => {
    const Items = [quotaItem(secondProject), quotaItem(hpcTwo), quotaItem(hpcOne)];
    table.on(QueryCommand, openedQuery[1]).resolves({ Items: [] });
    table.on(QueryCommand, quotaQuery('QUOTA#')[1]).resolves({ Items });
    expect(readResponse(await get('/admin/quotas/', example.query))).toEqual(
      answer(
        200,
        example.shown.map((sample) => quotaBody(sample)),
      ),
    );
    expect(sentCommands(table)).toEqual([openedQuery, quotaQuery('QUOTA#')]);
  });

  it('pages one user’s quotas', async () => {
    const Items = [hpcOne, hpcTwo, secondProject].map((sample) => quotaItem(sample));
    table.on(QueryCommand, openedQuery[1]).resolves({ Items: [] });
    table.on(QueryCommand, quotaQuery('QUOTA#')[1]).resolves({ Items });
    const first = await get('/admin/quotas/', `user=${user}&limit=2`);
    expect(JSON.parse(first.body ?? '')).toEqual([quotaBody(hpcOne), quotaBody(hpcTwo)]);
    const [, cursor = ''] = /[?&]cursor=([^>&]+)>; rel="next"/.exec(`${first.headers?.link}`) ?? [];
    const last = await get('/admin/quotas/', `user=${user}&limit=2&cursor=${cursor}`);
    expect(readResponse(last)).toEqual(answer(200, [quotaBody(secondProject)]));
    expect((await get('/admin/quotas/', `cursor=${cursor}`)).statusCode).toBe(400);
  });

  it('answers 400 to an unknown project, and reads no quota', async () => {
    const response = await get('/admin/quotas/', 'hpc=hpc_one&project=proj_hpc_two_01');
    const message = "Unknown project 'proj_hpc_two_01'. GET /projects/ lists all projects.";
    expect(readResponse(response)).toEqual(
      invalidRequest([{ location: 'query', name: 'project', message }]),
    );
    expect(sentCommands(table)).toEqual([openedQuery]);
  });

  it('leads on by a cursor that is good for this list alone', async () => {
    table.on(QueryCommand).resolves(registered(hpcOne, user, otherUser));
    table.on(QueryCommand, openedQuery[1]).resolves({ Items: [] });
    table.on(BatchGetCommand).resolves(itemsOf(quotaItem(hpcOne)));
    const first = await get('/admin/quotas/', 'hpc=hpc_one&limit=1&expand=usage');
    expect(JSON.parse(first.body ?? '')).toEqual([{ ...quotaBody(hpcOne), usage }]);
    const [, cursor = ''] = /[?&]cursor=([^>&]+)>; rel="next"/.exec(`${first.headers?.link}`) ?? [];
    expect(cursor).toMatch(/^1-306328\.[\w-]{22}$/);
    table.resetHistory();
    table.on(QueryCommand).resolves({ Items: [] });
    const next = await get('/admin/quotas/', `hpc=hpc_one&limit=1&cursor=${cursor}`);
    expect(readResponse(next)).toEqual(answer(200, []));
    expect(sentCommands(table)).toEqual([
      openedQuery,
      registryQuery(hpcOne, 2, `${user.padStart(32, '0')}#${user}`),
    ]);
    for (const others of ['', 'hpc=hpc_one&project=proj_hpc_one_01&', 'hpc=hpc_one&user=1&']) {
      const refused = await get('/admin/quotas/', `${others}cursor=${cursor}`);
      expect(refused.statusCode).toBe(400);
    }
    expect((await get('/admin/quotas/', `hpc=hpc_one&cursor=2${cursor}`)).statusCode).toBe(400);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'expand=all',
    'user=alice',
    'hpc=hpc_three',
    'project=X',
  ])('answers 400 to %s, and reads nothing', async (query) => {
    expect((await get('/admin/quotas/', query)).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });
});

describe('GET /admin/quotas/{user_id}/... with its usage, and its ledger', () => {
  it.each([
    { path: `/admin/quotas/${user}/`, body: [{ ...quotaBody(hpcOne), usage }] },
    {
      path: `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/`,
      body: { ...quotaBody(hpcOne), usage },
    },
  ])('shows the usage at $path?expand=usage', async ({ path, body }) => {
    table.on(QueryCommand).resolves({ Items: [quotaItem(hpcOne)] });
    table.on(GetCommand).resolves({ Item: quotaItem(hpcOne) });
    expect(readResponse(await get(path, 'expand=usage'))).toEqual(answer(200, body));
  });

  it('shows the ledger of a quota that was removed', async () => {
    const line = {
      PK: `LEDGER#${user}#hpc_one#proj_hpc_one_01`,
      SK: '2026-11-15T08:30:00.000Z#correction#an-act',
      type: 'ledger-line',
      schema_version: 1,
      kind: 'correction',
      seconds: -5,
      kilobytes: 0,
      at: '2026-11-15T08:30:00.000Z',
      by: '100001',
      reason: 'it is over',
      act_id: 'an-act',
    };
    table.on(QueryCommand).resolves({ Items: [line] });
    const response = await get(`/admin/quotas/${user}/hpc_one/proj_hpc_one_01/ledger/`);
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body ?? '')).toMatchObject([
      { kind: 'correction', time: -5, time_left: 0, by: '100001', act_id: 'an-act' },
    ]);
  });
});
