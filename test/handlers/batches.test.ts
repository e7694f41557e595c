import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as deleteHandler } from '#functions/batches/delete-batch.ts';
import { handler as readHandler } from '#functions/batches/read-batches.ts';
import { handler as submitHandler } from '#functions/batches/submit-batch.ts';
import { handler as jobsHandler } from '#functions/jobs/read-jobs.ts';
import { batchItem, batchSample } from '../fixtures/batches.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { jobId } from '../fixtures/names.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { readResponse, refusalOf } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, jobItem, otherUser, quotaItem, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { submission } from '../fixtures/submissions.ts';
import { canceled, conditionFailed, passed } from '../fixtures/table-mock.ts';

const table = useTable();
const storage = mockStorage();
beforeEach(() => storage.reset());

const { id } = batchSample;
const home = `/batches/${hpcOne.hpc}/${hpcOne.project}/`;
const path = `${home}${id}/`;
const quota = quotaItem(hpcOne);
const held = { time_left: 17_994_600, time_held: 5400, space_left: 9_999_988, space_held: 12 };

const read = (at = path, query = '', caller = user) =>
  call(readHandler, { path: at, query, headers: asUser(caller) });
const remove = (query = '') =>
  call(deleteHandler, { method: 'DELETE', path, query, headers: asUser() });
const send = (fields: object) =>
  call(submitHandler, {
    ...submission(hpcOne, {
      path: `/batches/${hpcOne.hpc}/`,
      payload: { ...hpcOne.payload, ...fields },
    }),
  });

describe('GET /batches/', () => {
  it('shows a batch with its counts', async () => {
    await table.hold(batchItem({ running: 1, failed: 1 }));
    expect(readResponse(await read())).toMatchObject({
      statusCode: 200,
      body: {
        batch_id: id,
        count: 3,
        counts: { waiting: 1, running: 1, done: 0, failed: 1, cancelled: 0 },
        end_date: null,
        max_running: null,
        owner: user,
        project_name: hpcOne.project,
        title: 'alpha {alpha}',
      },
    });
  });

  it('tells when the last job ended, once all have', async () => {
    await table.hold(batchItem({ done: 2, failed: 1, last_end: '2026-11-16T09:00:00.000Z' }));
    expect(readResponse(await read()).body).toMatchObject({ end_date: '2026-11-16T09:00:00Z' });
  });

  it.each([
    ['another project', `/batches/${hpcTwo.hpc}/${hpcTwo.project}/${id}/`, user],
    ['another user', path, otherUser],
  ])('does not find a batch of %s', async (_, asked, caller) => {
    await table.hold(batchItem());
    expect((await read(asked, '', caller)).statusCode).toBe(404);
  });

  it('lists in pages, the newest first', async () => {
    const older = `${id.slice(0, -1)}0`;
    const { PK, SK } = batchItem();
    await table.hold(batchItem(), {
      ...batchItem(),
      PK,
      SK: SK.replace(id, older),
      batch_id: older,
    });
    const ids = [];
    for (let query = 'limit=1', page = 0; page < 2; page += 1) {
      const { headers, body } = await read(home, query);
      ids.push(JSON.parse(body ?? '')[0].batch_id);
      query = /\?(.*)>; rel="next"/.exec(String(headers?.link))?.[1] ?? '';
    }
    expect(ids).toEqual([id, older]);
  });
});

describe('GET /jobs/?batch=', () => {
  const list = () => call(jobsHandler, { path: '/jobs/', query: `batch=${id}`, headers: asUser() });

  it('reads the range of numbers of its jobs', async () => {
    const items = [79, 80, 82, 83].map((each) =>
      jobItem(hpcOne, { id: each, jobId: jobId(`JOB-${each}`) }),
    );
    await table.hold(batchItem(), ...items);
    expect(readResponse(await list()).body).toMatchObject([{ id: 80 }, { id: 82 }]);
  });

  it('does not find a batch that is missing', async () => {
    expect((await list()).statusCode).toBe(404);
  });
});

describe('DELETE /batches/{hpc}/{project_name}/{batch_id}/', () => {
  it('gives back in one transaction what was not created', async () => {
    await table.hold(batchItem({ unfolded: 1 }), { ...quota, ...held, living_jobs: 3 });
    expect((await remove()).statusCode).toBe(200);
    expect(await table.read(batchItem())).toMatchObject({ dropped: 2, held_seconds: 1800 });
    expect(await table.read(quota)).toMatchObject({ time_held: 1800, living_jobs: 1 });
    expect(table.writes()).toBe(1);
  });

  it.each([
    ['cancelled', { discard: 'cancel', cancel_pending: true, dropped: 3, cancelled: 3 }, ''],
    ['deleted', { discard: 'delete', done: 3, unfolded: 3 }, 'only=delete'],
    ['active', {}, 'only=delete'],
  ])('writes nothing for a batch that is %s', async (_, attributes, query) => {
    await table.hold(batchItem(attributes));
    expect((await remove(query)).statusCode).toBe(200);
    expect(table.writes()).toBe(0);
  });
});

describe('POST /batches/{hpc}/', () => {
  it('stores the hold, the batch, its order and one line in one transaction', async () => {
    await table.hold(profileItem(), quota);
    const { statusCode, headers, body } = readResponse(await send({ count: '500' }));
    expect(statusCode).toBe(201);
    const time = 500 * hpcOne.heldSeconds;
    expect(body).toMatchObject({ count: 500, held: { time, space: 1 } });
    expect(headers?.location).toContain(home);
    expect(await table.read(quota)).toMatchObject({ time_held: time, living_jobs: 500 });
    const types = (await table.list()).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['batch', 'batch-order', 'ledger-line']));
    expect(table.sent().filter((name) => name === 'TransactWriteItems')).toHaveLength(1);
  });

  it.each([
    ['neither count nor table', {}, 'count'],
    ['both', { count: '2', table: 'a.csv' }, 'count'],
    ['no jobs', { count: '0' }, 'count'],
    ['too many jobs', { count: '10001' }, 'count'],
    ['none at once', { count: '2', max_running: '0' }, 'max_running'],
  ])('refuses %s', async (_, fields, name) => {
    const { statusCode, body } = readResponse(await send(fields));
    expect([statusCode, body]).toMatchObject([400, { errors: [{ location: 'payload', name }] }]);
    expect(table.sent()).toEqual([]);
  });
});

describe('with a mocked table', () => {
  const transactions = () =>
    table.mock.commandCalls(TransactWriteCommand).map(({ args: [{ input }] }) => input);
  beforeEach(() => {
    table.mock.on(GetCommand).resolves({});
    table.mock.on(UpdateCommand).resolves({ Attributes: { value: 82 } });
    table.mock.on(TransactWriteCommand).resolves({});
  });

  it('read-batches asks for the newest first, consistently', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [batchItem()] });
    expect(readResponse(await read(home)).body).toMatchObject([{ batch_id: id }]);
    expect(table.mock.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      ExpressionAttributeValues: { ':PK': `USER#${user}`, ':prefix': 'BATCH#' },
      ScanIndexForward: false,
      ConsistentRead: true,
    });
  });

  it('read-batches and delete-batch answer 404 where there is none, and write nothing', async () => {
    for (const response of [await read(), await remove()]) expect(response.statusCode).toBe(404);
    expect(transactions()).toEqual([]);
  });

  it('delete-batch gives up what was not created as it was read', async () => {
    table.mock.on(GetCommand).resolves({ Item: batchItem({ unfolded: 1 }) });
    expect((await remove()).statusCode).toBe(200);
    expect(transactions()).toMatchObject([
      {
        TransactItems: [{ Update: { ExpressionAttributeValues: { ':added_dropped': 2 } } }, {}, {}],
      },
    ]);
  });

  it('submit-batch writes four steps at once', async () => {
    table.mock.on(QueryCommand).resolves({ Items: [] });
    expect((await send({ count: '2' })).statusCode).toBe(201);
    expect(transactions()).toMatchObject([{ TransactItems: { length: 4 } }]);
  });

  it('submit-batch answers 403 where the hold is refused', async () => {
    const stored = quotaItem(hpcOne, { timeLeft: 1 });
    table.mock.on(TransactWriteCommand).rejects(canceled([conditionFailed(stored), passed]));
    expect(refusalOf(await send({ count: '2' }))).toBe('403 quota-exceeded');
  });
});
