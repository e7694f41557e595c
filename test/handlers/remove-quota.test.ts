import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/remove-quota.ts';
import { asAdministrator, ask } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { jobId } from '../fixtures/names.ts';
import { quotaNotFound, refusal } from '../fixtures/responses.ts';
import {
  administrator,
  hpcOne,
  jobItem,
  lifeItem,
  quotaBody,
  quotaItem,
  user,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { sentTransactions } from '../fixtures/table-mock.ts';

const table = useTable();
const storage = mockStorage();
const stored = { ...quotaItem(hpcOne), time_left: 17_999_990, time_used: 10 };
const endedId = jobId('AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AB');
const endedJob = jobItem(hpcOne, { id: 84, jobId: endedId, ended: true });

beforeEach(async () => {
  storage.reset();
  await table.hold(stored);
});

async function remove(query = 'reason=it%20is%20over', body?: object) {
  const path = `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/`;
  const request = { method: 'DELETE', path, query, headers: asAdministrator() };
  return ask(handler, request, body);
}

describe('DELETE /admin/quotas/{user_id}/{hpc}/{project_name}/', () => {
  it.each([
    { how: 'in the query', query: 'reason=it%20is%20over', body: undefined },
    { how: 'in the body', query: '', body: { reason: 'it is over' } },
  ])('answers the quota as it was, with the reason $how', async ({ query, body }) => {
    const response = await remove(query, body);
    expect(response.statusCode).toBe(200);
    expect(response.body).toMatchObject(quotaBody(hpcOne, { timeLeft: 17_999_990 }));
    expect(await table.read(stored)).toBeUndefined();
    const told = { by: administrator, reason: 'it is over' };
    const [act] = await table.list('AUDIT#');
    expect(act).toMatchObject({
      kind: 'quota-removed',
      ...told,
      user,
      details: { time: { before: 18_000_000, after: null } },
    });
    const lost = { kind: 'correction', seconds: -17_999_990, kilobytes: -10_000_000 };
    expect(await table.list('LEDGER#')).toMatchObject([{ ...lost, ...told, act_id: act?.act_id }]);
    expect(table.writes()).toBe(1);
    expect(await remove()).toEqual(quotaNotFound('hpc_one', 'proj_hpc_one_01'));
  });

  it.each([
    { what: 'time', change: { time_held: 5 }, ended: 0 },
    { what: 'space of ended jobs', change: { space_held: 5 }, ended: 1 },
    { what: 'an active job', change: { living_jobs: 1 }, ended: 0 },
  ])('answers 409 while $what is in it, and writes nothing', async ({ change, ended }) => {
    const { time_held: time = 0, space_held: space = 0, living_jobs: jobs = 0 } = Object(change);
    const unheld = jobItem(hpcOne, { id: 88, jobId: jobId('UNHELD'), ended: true, kilobytes: 0 });
    await table.hold({ ...stored, ...change }, jobItem(hpcOne), unheld);
    if (ended > 0) await table.hold(endedJob);
    expect(await remove()).toMatchObject(
      refusal(409, 'quota-in-use', {
        project_hpc: 'HPC_ONE',
        project_name: 'proj_hpc_one_01',
        charging: 'node',
        time: { granted: 18_000_000, left: 17_999_990, held: time, used: 10 },
        space: { granted: 10_000_000, left: 10_000_000, held: space, used: 0 },
        living_jobs: jobs,
        ended_jobs: ended,
      }),
    );
    expect(table.writes()).toBe(0);
  });

  it('takes its jobs along with with_jobs=true: cancelled, deleted, told of, files gone', async () => {
    const held = { time_held: 14_400, space_held: 2, living_jobs: 1 };
    await table.hold({ ...stored, ...held }, jobItem(hpcOne), lifeItem(hpcOne), endedJob);
    expect((await remove('reason=it%20is%20over&with_jobs=true')).statusCode).toBe(200);
    const acts = (await table.list('AUDIT#')).map(({ kind, reason }) => `${kind}: ${reason}`);
    expect(acts.sort()).toEqual(
      ['job-cancelled', 'job-deleted', 'quota-removed'].map((kind) => `${kind}: it is over`),
    );
    expect(storage.calls.sort()).toEqual(
      [hpcOne.jobId, endedId].flatMap((id) =>
        ['output', 'zip'].map((kind) => `DELETE /results-test/${user}/${id}.${kind}`),
      ),
    );
  });

  it('touches no job where there is no quota', async () => {
    await table.drop(stored);
    await table.hold(jobItem(hpcOne));
    expect((await remove('reason=a&with_jobs=true')).statusCode).toBe(404);
    expect(table.sent()).not.toContain('Query');
  });

  it('answers 400 without a reason, and asks nothing of the table', async () => {
    expect((await remove('')).statusCode).toBe(400);
    expect((await remove('reason=%20')).statusCode).toBe(400);
    expect((await remove('reason=a', { reason: 'b' })).statusCode).toBe(400);
    expect((await remove('reason=a&with_jobs=yes')).statusCode).toBe(400);
    expect(table.sent()).toEqual([]);
  });

  it('deletes only what was read, and nothing that is in use: on a mocked table', async () => {
    table.mock.on(GetCommand).resolvesOnce({ Item: stored });
    table.mock.on(TransactWriteCommand).resolves({});
    expect((await remove()).statusCode).toBe(200);
    const values = { ':id': 1, ':time_left': 17_999_990, ':space_left': 10_000_000, ':none': 0 };
    expect(sentTransactions(table.mock)).toMatchObject([
      [{ Delete: { ExpressionAttributeValues: values } }, { Put: {} }, { Put: {} }, { Put: {} }],
    ]);
    table.mock.on(GetCommand).resolves({ Item: { ...stored, living_jobs: 1 } });
    table.mock.on(QueryCommand).resolves({ Items: [] });
    expect((await remove()).statusCode).toBe(409);
    expect(sentTransactions(table.mock)).toHaveLength(1);
  });
});
