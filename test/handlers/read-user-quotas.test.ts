import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/admin/read-user-quotas.ts';
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
import { hpcOne, hpcTwo, quotaBody, quotaItem, systemSamples, user } from '../fixtures/samples.ts';
import { mockTable, quotaQuery, quotaRead, sentCommands } from '../fixtures/table-mock.ts';

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
    expect(sentCommands(table)).toEqual([quotaQuery('QUOTA#', '999999')]);
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

  it('answers 404 to unknown names, and reads nothing', async () => {
    const foreign = await get(`/admin/quotas/${user}/${hpc}/${foreignProject}/`);
    expect(readResponse(foreign)).toEqual(projectNotFound(hpc, foreignProject));
    const upper = await get(`/admin/quotas/${user}/${projectHpc}/`);
    expect(readResponse(upper)).toEqual(systemNotFound(projectHpc));
    expect(sentCommands(table)).toEqual([]);
  });
});

describe('GET /admin/quotas/..., refused', () => {
  it.each([
    `/admin/quotas/${user}/`,
    `/admin/quotas/${user}/hpc_one/`,
    `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/`,
    '/admin/quotas/alice/',
    `/admin/quotas/${user}/hpc_three/`,
  ])('answers 403 at %s to a caller who is no administrator, and reads nothing', async (path) => {
    const response = await get(path, '', asUser());
    expect(readResponse(response)).toEqual(
      problem({
        status: 403,
        slug: 'not-administrator',
        title: 'Administrators only',
        detail: 'This path is for administrators.',
      }),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it.each([
    '/admin/quotas/',
    '/admin/quotas/alice/',
    '/admin/quotas/306328%23/',
    '/admin/quotas/３０６/',
    `/admin/quotas/${'1'.repeat(33)}/`,
    `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/x/`,
  ])('answers 404 to %s, and reads nothing', async (path) => {
    expect(readResponse(await get(path))).toEqual(pathNotFound);
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 400 to any parameter, and reads nothing', async () => {
    const response = await get(`/admin/quotas/${user}/`, 'limit=1');
    expect(readResponse(response)).toEqual(
      invalidRequest([
        { location: 'query', name: 'limit', message: 'No parameters are taken here.' },
      ]),
    );
    expect(sentCommands(table)).toEqual([]);
  });
});
