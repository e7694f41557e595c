import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/read-quotas.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import {
  answer,
  invalidPart,
  nextCursor,
  projectNotFound,
  quotaNotFound,
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
  unusedBody,
  user,
} from '../fixtures/samples.ts';
import { quotaRead, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = useTable();

const get = (path: string, query = '') => ask(handler, { path, query, headers: asAdministrator() });
const getAll = (query = '') => get('/admin/quotas/', query);

const bodies = (samples: readonly SystemSample[]) => samples.map((sample) => quotaBody(sample));

describe('GET /admin/quotas/{user_id}/', () => {
  it('answers 200 with all quotas of that user in ascending project, and with their usage', async () => {
    await table.hold(quotaItem(hpcTwo), quotaItem(hpcOne), quotaItem(hpcOne, { user: otherUser }));
    expect(await get(`/admin/quotas/${user}/`)).toEqual(answer(200, bodies([hpcOne, hpcTwo])));
    expect((await get(`/admin/quotas/${otherUser}/`, 'expand=usage')).body).toEqual([
      { ...quotaBody(hpcOne, { user: otherUser }), usage: unusedBody },
    ]);
  });

  it('answers an empty array for a user who never called, and creates nothing', async () => {
    expect(await get('/admin/quotas/999999/')).toEqual(answer(200, []));
    expect(table.sent()).toEqual(['Query']);
  });

  it('answers 400 to parameters of other lists, and reads nothing', async () => {
    expect(await get(`/admin/quotas/${user}/`, 'limit=1')).toEqual(
      invalidPart('query', 'limit', 'Unknown parameter. Known parameters: expand.'),
    );
    expect(table.sent()).toEqual([]);
  });
});

describe.each(systemSamples)('GET /admin/quotas/{user_id}/{hpc}/ on $hpc', (sample) => {
  const { hpc, project, foreignProject, projectHpc } = sample;

  it('answers 200 with the quotas of the system, and with that of the project', async () => {
    await table.hold(quotaItem(hpcOne), quotaItem(hpcTwo));
    expect(await get(`/admin/quotas/${user}/${hpc}/`)).toEqual(answer(200, [quotaBody(sample)]));
    const one = await get(`/admin/quotas/${user}/${hpc}/${project}`, 'expand=usage');
    expect(one).toEqual(answer(200, { ...quotaBody(sample), usage: unusedBody }));
  });

  it('answers one quota, or 404 and creates nothing: on a mocked table', async () => {
    const path = `/admin/quotas/${user}/${hpc}/${project}/`;
    table.mock
      .on(GetCommand)
      .resolvesOnce({ Item: quotaItem(sample) })
      .resolves({});
    expect(await get(path)).toEqual(answer(200, quotaBody(sample)));
    expect(await get(path)).toEqual(quotaNotFound(hpc, project));
    expect(sentCommands(table.mock)).toEqual([quotaRead(sample), quotaRead(sample)]);
  });

  it('answers 404 to unknown names, and reads no quota', async () => {
    const foreign = await get(`/admin/quotas/${user}/${hpc}/${foreignProject}/`);
    expect(foreign).toEqual(projectNotFound(hpc, foreignProject));
    expect(await get(`/admin/quotas/${user}/${projectHpc}/`)).toEqual(systemNotFound(projectHpc));
    expect(table.sent()).toEqual(['GetItem']);
  });
});

describe('GET /admin/quotas/', () => {
  it('answers everybody’s quotas, project by project, from the registry and the table', async () => {
    await table.hold(quotaItem(hpcTwo), quotaItem(hpcOne), quotaItem(hpcOne, { user: otherUser }));
    expect(await getAll()).toEqual(
      answer(200, [quotaBody(hpcOne), quotaBody(hpcOne, { user: otherUser }), quotaBody(hpcTwo)]),
    );
    expect(table.sent()).toEqual([...Array(4).fill('Query'), 'BatchGetItem']);
  });

  it('answers an empty array where nobody has one', async () => {
    expect(await get('/admin/quotas')).toEqual(answer(200, []));
  });

  it('leaves out what the registry still names and is gone, and asks again for what is left out', async () => {
    const key = { PK: `USER#${user}`, SK: quotaItem(hpcOne).SK };
    const registered = [{ ...key, PK: 'USER#1' }, key, { ...key, PK: 'USER#3' }];
    table.mock.on(QueryCommand, { IndexName: 'registry' }).resolvesOnce({ Items: registered });
    table.mock
      .on(BatchGetCommand)
      .resolvesOnce({ UnprocessedKeys: { [tableName]: { Keys: [key] } } })
      .resolves({ Responses: { [tableName]: [quotaItem(hpcOne)] } });
    expect(await getAll('hpc=hpc_one')).toEqual(answer(200, [quotaBody(hpcOne)]));
    expect(table.mock.commandCalls(BatchGetCommand)).toHaveLength(2);
  });

  describe('with a filter', () => {
    beforeEach(() =>
      table.hold(
        projectItem(openedProject),
        ...[secondProject, hpcTwo, openedProject, hpcOne].map((sample) => quotaItem(sample)),
      ),
    );

    const inTwo = [hpcTwo, secondProject, openedProject];
    it.each([
      { query: 'hpc=hpc_one', shown: [hpcOne] },
      { query: 'hpc=hpc_two', shown: inTwo },
      { query: 'hpc=hpc_two&project=proj_hpc_two_02', shown: [secondProject] },
      { query: 'project=proj_hpc_two_02', shown: [secondProject] },
      { query: `project=${openedProject.project}`, shown: [openedProject] },
      { query: `user=${user}`, shown: [hpcOne, ...inTwo] },
      { query: `user=${user}&hpc=hpc_two`, shown: inTwo },
      { query: `user=${user}&project=proj_hpc_one_01`, shown: [hpcOne] },
      { query: `user=${user}&hpc=hpc_two&project=proj_hpc_two_02`, shown: [secondProject] },
      { query: `user=${otherUser}`, shown: [] },
    ])('answers to ?$query what it selects, in the order of the projects', async (example) => {
      expect(await getAll(example.query)).toEqual(answer(200, bodies(example.shown)));
      const reads = example.query.includes('user') ? 1 : example.shown.length;
      expect(table.sent().filter((name) => name === 'Query')).toHaveLength(1 + reads);
    });

    it('pages one user’s quotas', async () => {
      const first = await getAll(`user=${user}&limit=3`);
      expect(first.body).toEqual(bodies([hpcOne, hpcTwo, secondProject]));
      const cursor = nextCursor(first);
      const last = await getAll(`user=${user}&limit=3&cursor=${cursor}`);
      expect(last).toEqual(answer(200, bodies([openedProject])));
      expect((await getAll(`cursor=${cursor}`)).statusCode).toBe(400);
    });
  });

  it('answers 400 to an unknown project, and reads no quota', async () => {
    expect(await getAll('hpc=hpc_one&project=proj_hpc_two_01')).toEqual(
      invalidPart(
        'query',
        'project',
        "Unknown project 'proj_hpc_two_01'. GET /projects/ lists all projects.",
      ),
    );
    expect(table.sent()).toEqual(['Query']);
  });

  it('leads on by a cursor that is good for this list alone', async () => {
    await table.hold(quotaItem(hpcOne), quotaItem(hpcOne, { user: otherUser }));
    const first = await getAll('hpc=hpc_one&limit=1&expand=usage');
    expect(first.body).toEqual([{ ...quotaBody(hpcOne), usage: unusedBody }]);
    const cursor = nextCursor(first);
    expect(cursor).toMatch(/^1-306328\.[\w-]{22}$/);
    const next = await getAll(`hpc=hpc_one&limit=1&cursor=${cursor}`);
    expect(next).toEqual(answer(200, [quotaBody(hpcOne, { user: otherUser })]));
    for (const others of ['', 'hpc=hpc_one&project=proj_hpc_one_01&', 'hpc=hpc_one&user=1&']) {
      expect((await getAll(`${others}cursor=${cursor}`)).statusCode).toBe(400);
    }
    expect((await getAll(`hpc=hpc_one&cursor=2${cursor}`)).statusCode).toBe(400);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'expand=all',
    'user=alice',
    'hpc=x',
    'project=X',
  ])('answers 400 to %s, and reads nothing', async (query) => {
    expect((await getAll(query)).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });
});

it('the ledger of a quota that was removed is still shown', async () => {
  const at = '2026-11-15T08:30:00.000Z';
  await table.hold({
    PK: `LEDGER#${user}#hpc_one#proj_hpc_one_01`,
    SK: `${at}#correction#an-act`,
    type: 'ledger-line',
    schema_version: 1,
    kind: 'correction',
    seconds: -5,
    kilobytes: 0,
    at,
    by: '100001',
    reason: 'it is over',
    act_id: 'an-act',
  });
  expect(await get(`/admin/quotas/${user}/hpc_one/proj_hpc_one_01/ledger/`)).toMatchObject({
    statusCode: 200,
    body: [{ kind: 'correction', time: -5, time_left: 0, by: '100001', act_id: 'an-act' }],
  });
});
