import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/uploads/create-upload.ts';
import { asUser, call } from '../fixtures/call.ts';
import { answer, invalidRequest, problem, readResponse } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, quotaItem, submittedAt, user } from '../fixtures/samples.ts';
import { mockTable, quotaQuery, sentCommands, tableName } from '../fixtures/table-mock.ts';

const table = mockTable();

beforeEach(() => {
  table.reset();
  table.on(QueryCommand).resolves({ Items: [quotaItem(hpcOne), quotaItem(hpcTwo)] });
  table.on(GetCommand).resolves({});
  table.on(TransactWriteCommand).resolves({});
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

/** Answers the read of the caller's quotas. No project was opened at run time. */
function answerQuotas(...Items: object[]) {
  const [, input] = quotaQuery('QUOTA#');
  table.on(QueryCommand).resolves({ Items: [] });
  table.on(QueryCommand, input).resolves({ Items });
}

function request(body: unknown, query = '') {
  return call(handler, {
    method: 'POST',
    path: '/uploads/',
    query,
    headers: { ...asUser(), 'content-type': 'application/json' },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
}

const seconds = Math.floor(submittedAt.getTime() / 1000);
const recordOf = (id: string) => ({
  PK: `USER#${user}`,
  SK: `UPLOAD#${id}`,
  type: 'upload',
  schema_version: 1,
  upload_id: id,
  owner: user,
  file_name: 'big.zip',
  bytes: 123_456_789,
  open_until: seconds + 86_400,
  expires_at: seconds + 7 * 86_400,
  due: 'DUE#UPLOADS#0',
  due_at: '2019-02-12T22:40:01.000Z',
});
const listed = (ids: readonly string[], revision: number) => ({
  PK: `USER#${user}`,
  SK: 'UPLOADS',
  type: 'open-uploads',
  schema_version: 1,
  upload_ids: ids,
  revision,
  expires_at: seconds + 86_400,
});
const put = (Item: object) => ({
  Put: expect.objectContaining({
    TableName: tableName,
    Item,
    ConditionExpression: expect.any(String),
  }),
});

const wish = { filename: 'big.zip', length: 123_456_789 };

describe('POST /uploads/', () => {
  it('answers 201 with an address for one PUT of exactly that length, for an hour', async () => {
    const response = await request(wish);
    const body = JSON.parse(response.body ?? '');
    expect(readResponse(response)).toEqual(
      answer(201, {
        upload_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        filename: 'big.zip',
        length: 123_456_789,
        expires: '2019-02-10T23:40:01Z',
        method: 'PUT',
        address: expect.any(String),
        headers: { 'Content-Length': '123456789', 'If-None-Match': '*' },
      }),
    );
    const address = new URL(body.address);
    expect(address.origin).toBe('http://storage.test');
    expect(address.pathname).toBe(`/inputs-test/${user}/uploads/${body.upload_id}.zip`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      'X-Amz-Expires': '3600',
      'X-Amz-Date': '20190210T224001Z',
      'X-Amz-SignedHeaders': 'content-length;host;if-none-match',
    });
  });

  it('remembers the upload for 24 hours', async () => {
    const { upload_id: id } = JSON.parse((await request(wish)).body ?? '');
    expect(sentCommands(table)).toEqual([
      quotaQuery('QUOTA#'),
      [
        'GetCommand',
        { TableName: tableName, Key: { PK: `USER#${user}`, SK: 'UPLOADS' }, ConsistentRead: true },
      ],
      ['TransactWriteCommand', { TransactItems: [put(listed([id], 1)), put(recordOf(id))] }],
    ]);
  });

  it.each([
    { left: [123_457, 0], status: 201 },
    { left: [0, 123_457], status: 201 },
    { left: [123_456, 5], status: 403 },
  ])('answers $status where $left kilobytes are left', async ({ left: [one, two], status }) => {
    answerQuotas(
      quotaItem(hpcOne, { spaceLeft: one ?? 0 }),
      quotaItem(hpcTwo, { spaceLeft: two ?? 0 }),
    );
    expect((await request(wish)).statusCode).toBe(status);
    expect(table.commandCalls(TransactWriteCommand)).toHaveLength(status === 201 ? 1 : 0);
  });

  it('says how much is left where that is too little', async () => {
    answerQuotas(quotaItem(hpcOne, { spaceLeft: 7 }), quotaItem(hpcTwo, { spaceLeft: 6 }));
    expect(readResponse(await request(wish))).toEqual(
      problem({
        status: 403,
        slug: 'quota-exceeded',
        title: 'The quota is too small',
        detail:
          "The quota of 'proj_hpc_one_01' on 'hpc_one' is too small: " +
          '123457 kilobytes of space are needed, but only 7 remain. Ask for less, or request more with POST /requests/.',
        members: {
          project_hpc: 'HPC_ONE',
          project_name: 'proj_hpc_one_01',
          charging: 'node',
          asked: { time: 0, space: 123_457 },
          left: { time: 18_000_000, space: 7 },
        },
      }),
    );
  });

  it('answers 409 where ten wait for their jobs', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `u-${index}`);
    table.on(GetCommand).resolves({ Item: listed(ids, 12) });
    table.on(BatchGetCommand).resolves({ Responses: { [tableName]: ids.map(recordOf) } });
    expect(readResponse(await request({ ...wish, length: 1 }))).toEqual({
      ...problem({
        status: 409,
        slug: 'too-many-uploads',
        title: 'Too many uploads at once',
        detail:
          'You have 10 unused uploads, and at most 10 are allowed. ' +
          'Submit jobs with them, or wait: each expires 24 hours after it was created.',
        members: { limit: 10, count: 10 },
      }),
    });
    expect(table.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  it('answers 403 to somebody who is banned, with the reason', async () => {
    const Items = [hpcOne, hpcTwo].map((sample) => ({
      ...quotaItem(sample),
      banned_everywhere: 'A loop.',
    }));
    table.on(QueryCommand).resolves({ Items });
    expect(readResponse(await request(wish))).toMatchObject({
      statusCode: 403,
      body: { type: 'urn:slipway:problem:banned', reason: 'A loop.' },
    });
  });

  it.each([
    { filename: 'big.tar', message: 'The file name must end in .zip.' },
    { filename: 'a/big.zip', message: 'The file name must be a plain name without a path.' },
    { filename: '', message: 'The file name must end in .zip.' },
    { filename: 5, message: 'It must be text.' },
  ])('answers 400 to the name $filename', async ({ filename, message }) => {
    expect(readResponse(await request({ ...wish, filename }))).toEqual(
      invalidRequest([{ location: 'body', name: 'filename', message }]),
    );
    expect(sentCommands(table)).toEqual([]);
  });

  it.each([0, -1, 1.5, 5_000_000_001, '100', null])(
    'answers 400 to the length %j',
    async (length) => {
      const message = 'It must be a whole number of bytes from 1 to 5000000000.';
      expect(readResponse(await request({ ...wish, length }))).toEqual(
        invalidRequest([{ location: 'body', name: 'length', message }]),
      );
    },
  );

  it.each([1, 5_000_000_000])('takes the length %d', async (length) => {
    expect((await request({ ...wish, length })).statusCode).toBe(201);
  });

  it('answers 400 with all that is wrong at once', async () => {
    const { body } = readResponse(await request({ size: 1 }));
    expect(body).toMatchObject({
      errors: [{ name: 'size' }, { name: 'filename' }, { name: 'length' }],
    });
    expect((await request('no JSON')).statusCode).toBe(400);
    expect((await request(wish, 'a=b')).statusCode).toBe(400);
    expect(sentCommands(table)).toEqual([]);
  });

  it('answers 401 without a token', async () => {
    const response = await call(handler, { method: 'POST', path: '/uploads/' });
    expect(response.statusCode).toBe(401);
  });
});
