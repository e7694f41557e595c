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
import { buildZip } from '../fixtures/build-zip.ts';
import { asUser, call } from '../fixtures/call.ts';
import { readResponse } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, otherUser, user } from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { submission } from '../fixtures/submissions.ts';
import { mockTable, sentCommands } from '../fixtures/table-mock.ts';

const table = mockTable();
const storage = mockStorage();
const { id } = batchSample;
const home = `/batches/${hpcOne.hpc}/${hpcOne.project}/`;
const path = `${home}${id}/`;

beforeEach(() => {
  table.reset();
  storage.reset();
  table.on(GetCommand).resolves({});
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(UpdateCommand).resolves({ Attributes: { value: 82 } });
});

/** Lays a batch of the caller before the handlers. */
function hold(attributes: Readonly<Record<string, unknown>> = {}): void {
  const Item = batchItem(attributes);
  table.on(GetCommand, { Key: { PK: Item.PK, SK: Item.SK } }).resolves({ Item });
}

const body = {
  batch_id: id,
  count: 3,
  counts: { waiting: 3, running: 0, done: 0, failed: 0, cancelled: 0 },
  end_date: null,
  max_running: null,
  owner: user,
  project_name: hpcOne.project,
  title: 'alpha {alpha}',
};

describe('GET /batches/', () => {
  it('shows a batch with its counts', async () => {
    hold({ running: 1, failed: 1 });
    const response = await call(readHandler, { path, headers: asUser() });
    expect(readResponse(response)).toMatchObject({
      statusCode: 200,
      body: { ...body, counts: { waiting: 1, running: 1, done: 0, failed: 1, cancelled: 0 } },
    });
  });

  it('tells when the last job ended, once all have', async () => {
    hold({ done: 2, failed: 1, last_end: '2026-11-16T09:00:00.000Z' });
    const response = await call(readHandler, { path, headers: asUser() });
    expect(readResponse(response).body).toMatchObject({ end_date: '2026-11-16T09:00:00Z' });
  });

  it.each([
    ['another project', `/batches/${hpcTwo.hpc}/${hpcTwo.project}/${id}/`, user],
    ['another user', path, otherUser],
  ])('does not find a batch of %s', async (_, asked, caller) => {
    hold();
    const response = await call(readHandler, { path: asked, headers: asUser(caller) });
    expect(readResponse(response)).toMatchObject({ statusCode: 404 });
  });

  it('lists in pages, the newest first', async () => {
    const { PK, SK } = batchItem();
    table.on(QueryCommand).resolves({ Items: [batchItem()], LastEvaluatedKey: { PK, SK } });
    const response = await call(readHandler, { path: home, query: 'limit=1', headers: asUser() });
    const { statusCode, headers, body: list } = readResponse(response);
    expect([statusCode, list]).toEqual([200, [expect.objectContaining({ batch_id: id })]]);
    expect(headers?.link).toMatch(/rel="next"/);
    expect(table.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      ExpressionAttributeValues: { ':user': `USER#${user}`, ':prefix': 'BATCH#' },
      ScanIndexForward: false,
      ConsistentRead: true,
    });
  });
});

describe('GET /jobs/?batch=', () => {
  it('reads the range of numbers of its jobs', async () => {
    hold();
    const query = `batch=${id}`;
    const response = await call(jobsHandler, { path: '/jobs/', query, headers: asUser() });
    expect(readResponse(response)).toMatchObject({ statusCode: 200, body: [] });
    expect(table.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      ExpressionAttributeValues: {
        ':from': expect.stringMatching(/0080$/),
        ':to': expect.stringMatching(/0082$/),
      },
    });
  });

  it('does not find a batch that is missing', async () => {
    const query = `batch=${id}`;
    const response = await call(jobsHandler, { path: '/jobs/', query, headers: asUser() });
    expect(readResponse(response)).toMatchObject({ statusCode: 404 });
  });
});

describe('DELETE /batches/{hpc}/{project_name}/{batch_id}/', () => {
  const remove = (query = '') =>
    call(deleteHandler, { method: 'DELETE', path, query, headers: asUser() });

  it('gives back in one transaction what was not created', async () => {
    hold({ unfolded: 1 });
    table.on(TransactWriteCommand).resolves({});
    expect(readResponse(await remove())).toMatchObject({ statusCode: 200 });
    const [write] = table.commandCalls(TransactWriteCommand);
    expect(write?.args[0].input.TransactItems).toHaveLength(3);
    expect(write?.args[0].input.TransactItems?.[0]?.Update).toMatchObject({
      ConditionExpression: '#unfolded = :seen_unfolded AND attribute_not_exists(#discard)',
      ExpressionAttributeValues: { ':added_dropped': 2, ':added_held_seconds': -3600 },
    });
  });

  it.each([
    ['cancelled', { discard: 'cancel', cancel_pending: true, dropped: 3, cancelled: 3 }, ''],
    ['deleted', { discard: 'delete', done: 3, unfolded: 3 }, 'only=delete'],
    ['active', {}, 'only=delete'],
  ])('writes nothing for a batch that is %s', async (_, attributes, query) => {
    hold(attributes);
    expect(readResponse(await remove(query))).toMatchObject({ statusCode: 200 });
    expect(sentCommands(table).map(([name]) => name)).not.toContain('TransactWriteCommand');
  });
});

describe('POST /batches/{hpc}/', () => {
  const send = (fields: object, zip?: Buffer, query = '') =>
    call(submitHandler, {
      ...submission(hpcOne, {
        path: `/batches/${hpcOne.hpc}/`,
        payload: { ...hpcOne.payload, ...fields },
        ...(zip && { body: zip }),
      }),
      query,
    });

  it('writes the key, the hold, the batch, its order and one line in one transaction', async () => {
    table.on(TransactWriteCommand).resolves({});
    const { statusCode, headers, body: batch } = readResponse(await send({ count: '500' }));
    expect(statusCode).toBe(201);
    expect(batch).toMatchObject({ count: 500, held: { time: 500 * hpcOne.heldSeconds, space: 1 } });
    expect(headers?.location).toContain(home);
    const [write] = table.commandCalls(TransactWriteCommand);
    const items = write?.args[0].input.TransactItems ?? [];
    expect(
      items.map(({ Put, Update }) => Put?.Item?.type ?? Object.keys(Update?.Key ?? {})),
    ).toEqual([['PK', 'SK'], 'batch', 'batch-order', 'ledger-line']);
  });

  it.each([
    ['neither count nor table', {}, 'count'],
    ['both', { count: '2', table: 'a.csv' }, 'count'],
    ['no jobs', { count: '0' }, 'count'],
    ['too many jobs', { count: '10001' }, 'count'],
    ['none at once', { count: '2', max_running: '0' }, 'max_running'],
  ])('refuses %s', async (_, fields, name) => {
    const { statusCode, body: problem } = readResponse(await send(fields));
    expect([statusCode, problem]).toMatchObject([400, { errors: [{ location: 'payload', name }] }]);
    expect(sentCommands(table)).toEqual([]);
  });

  it('names the lines of a table that are wrong, and stores nothing', async () => {
    const zip = buildZip([{ name: 'p.csv', content: 'a,b\n1\n1,2\n1,2,3\n' }]);
    const { statusCode, body: problem } = readResponse(await send({ table: 'p.csv' }, zip));
    expect(statusCode).toBe(400);
    expect(problem).toMatchObject({ errors: [{ name: 'p.csv:2' }, { name: 'p.csv:4' }] });
    expect(sentCommands(table).map(([name]) => name)).not.toContain('TransactWriteCommand');
  });
});
