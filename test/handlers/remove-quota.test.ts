import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '#functions/admin/remove-quota.ts';
import { asAdministrator, call } from '../fixtures/call.ts';
import { problem, quotaNotFound, readResponse } from '../fixtures/responses.ts';
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
import { canceled, conditionFailed, mockTable, passed, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();
const storage = mockStorage();
const stored = { ...quotaItem(hpcOne), time_left: 17_999_990, time_used: 10 };

beforeEach(() => {
  table.reset();
  storage.reset();
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(GetCommand).resolves({ Item: stored });
  table.on(TransactWriteCommand).resolves({});
});

const path = `/admin/quotas/${user}/hpc_one/proj_hpc_one_01/`;

const remove = async (query = 'reason=it%20is%20over', body?: object) =>
  readResponse(
    await call(handler, {
      method: 'DELETE',
      path,
      query,
      headers: asAdministrator(),
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    }),
  );

const items = () =>
  (table.commandCalls(TransactWriteCommand).at(-1)?.args[0].input.TransactItems ?? []).map((item) =>
    Object(item),
  );

describe('DELETE /admin/quotas/{user_id}/{hpc}/{project_name}/', () => {
  it.each([
    { how: 'in the query', query: 'reason=it%20is%20over', body: undefined },
    { how: 'in the body', query: '', body: { reason: 'it is over' } },
  ])('answers the quota as it was, with the reason $how', async ({ query, body }) => {
    const response = await remove(query, body);
    expect(response.statusCode).toBe(200);
    expect(response.body).toMatchObject(quotaBody(hpcOne, { timeLeft: 17_999_990 }));
    const [deletion, line, act] = items();
    expect(deletion.Delete).toEqual({
      TableName: tableName,
      Key: { PK: `USER#${user}`, SK: 'QUOTA#hpc_one#proj_hpc_one_01' },
      ConditionExpression: expect.any(String),
      ExpressionAttributeValues: {
        ':id': 1,
        ':time_left': 17_999_990,
        ':space_left': 10_000_000,
        ':none': 0,
      },
    });
    expect(line.Put.Item).toMatchObject({
      kind: 'correction',
      seconds: -17_999_990,
      kilobytes: -10_000_000,
      by: administrator,
      reason: 'it is over',
      act_id: act.Put.Item.act_id,
    });
    expect(act.Put.Item).toMatchObject({
      kind: 'quota-removed',
      by: administrator,
      reason: 'it is over',
      user,
      details: { time: { before: 18_000_000, after: null } },
    });
    expect(items()).toHaveLength(3);
  });

  it.each([
    { what: 'time', change: { time_held: 5 }, ended: 0 },
    { what: 'space of ended jobs', change: { space_held: 5 }, ended: 2 },
    { what: 'an active job', change: { living_jobs: 1 }, ended: 0 },
  ])('answers 409 while $what is in it, and writes nothing', async ({ change, ended }) => {
    table.on(GetCommand).resolves({ Item: { ...stored, ...change } });
    const { time_held: time = 0, space_held: space = 0, living_jobs: jobs = 0 } = Object(change);
    const unheld = { ...jobItem(hpcOne, { ended: true }), held_kilobytes: 0 };
    const Items = [...Array(ended).fill(jobItem(hpcOne, { ended: true })), jobItem(hpcOne), unheld];
    table.on(QueryCommand).resolves({ Items });
    const advice =
      jobs + ended > 0
        ? 'Cancel the active jobs and delete the ended ones, or send ?with_jobs=true to do both.'
        : 'No job accounts for this. Ask the operator to reconcile the account.';
    expect(await remove()).toEqual(
      problem({
        status: 409,
        slug: 'quota-in-use',
        title: 'The quota is in use',
        detail:
          "The quota of 'proj_hpc_one_01' on 'hpc_one' is in use (active jobs: " +
          `${jobs}, ended jobs: ${ended}): ${time} seconds and ${space} kilobytes are held. ${advice}`,
        members: {
          project_hpc: 'HPC_ONE',
          project_name: 'proj_hpc_one_01',
          charging: 'node',
          time: { granted: 18_000_000, left: 17_999_990, held: time, used: 10 },
          space: { granted: 10_000_000, left: 10_000_000, held: space, used: 0 },
          living_jobs: jobs,
          ended_jobs: ended,
        },
      }),
    );
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  it('takes its jobs along with with_jobs=true: cancelled, deleted, told of, files gone', async () => {
    const jobs = [jobItem(hpcOne), { ...jobItem(hpcOne, { ended: true }), job_id: 'ENDED' }];
    const stages = new Map(jobs.map(({ SK, ...job }) => [job.job_id, { SK, ...job }]));
    table
      .on(QueryCommand)
      .callsFake(({ ExpressionAttributeValues: values }) =>
        ':relays' in values || ':prefix' in values ? {} : { Items: jobs },
      );
    table.on(GetCommand).callsFake(({ Key: { SK } }) => {
      if (SK.startsWith('QUOTA#')) return { Item: stored };
      if (SK.startsWith('LIFE#')) return { Item: lifeItem(hpcOne) };
      if (SK.startsWith('REQUEST#')) return {};
      return { Item: stages.get(SK.split('#')[3]) };
    });
    table.on(TransactWriteCommand).callsFake(({ TransactItems: [first] }) => {
      const jobId = first.Update?.Key.SK.split('#')[3];
      const stage = first.Update?.ExpressionAttributeValues[':deleted'] ?? 'CANCELED';
      const job = stages.get(jobId);
      if (job) stages.set(jobId, { ...job, terminal: true, stage });
      return {};
    });
    expect((await remove('reason=it%20is%20over&with_jobs=true')).statusCode).toBe(200);
    const acts = table
      .commandCalls(TransactWriteCommand)
      .map(({ args }) => Object(args[0].input.TransactItems?.at(-1)?.Put?.Item))
      .map(({ kind, reason }) => `${kind}: ${reason}`);
    expect(acts.slice(0, 2).sort()).toEqual([
      'job-cancelled: it is over',
      'job-deleted: it is over',
    ]);
    expect(acts.slice(2)).toEqual(['quota-removed: it is over']);
    expect(storage.calls.sort()).toEqual(
      [hpcOne.jobId, 'ENDED'].flatMap((id) =>
        ['output', 'zip'].map((kind) => `DELETE /results-test/${user}/${id}.${kind}`),
      ),
    );
  });

  it('touches no job where there is no quota', async () => {
    table.on(GetCommand).resolves({});
    expect((await remove('reason=a&with_jobs=true')).statusCode).toBe(404);
    expect(table.commandCalls(QueryCommand)).toEqual([]);
  });

  it('looks again where a job came in between', async () => {
    table
      .on(GetCommand)
      .resolvesOnce({ Item: stored })
      .resolves({ Item: { ...stored, living_jobs: 1 } });
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed]));
    expect((await remove()).statusCode).toBe(409);
  });

  it('answers 404 the second time', async () => {
    table.on(GetCommand).resolvesOnce({ Item: stored }).resolves({});
    table.on(TransactWriteCommand).rejects(canceled([conditionFailed(), passed, passed]));
    expect(await remove()).toEqual(quotaNotFound('hpc_one', 'proj_hpc_one_01'));
  });

  it('answers 400 without a reason, and asks nothing of the table', async () => {
    expect((await remove('')).statusCode).toBe(400);
    expect((await remove('reason=%20')).statusCode).toBe(400);
    expect((await remove('reason=a', { reason: 'b' })).statusCode).toBe(400);
    expect((await remove('reason=a&with_jobs=yes')).statusCode).toBe(400);
    expect(table.calls()).toEqual([]);
  });
});
