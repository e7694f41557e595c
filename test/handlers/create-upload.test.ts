import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
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
  table.on(PutCommand).resolves({});
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

function request(body: unknown, query = '') {
  return call(handler, {
    method: 'POST',
    path: '/uploads/',
    query,
    headers: { ...asUser(), 'content-type': 'application/json' },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
}

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
        'PutCommand',
        {
          TableName: tableName,
          Item: {
            PK: `USER#${user}`,
            SK: `UPLOAD#${id}`,
            type: 'upload',
            schema_version: 1,
            upload_id: id,
            owner: user,
            file_name: 'big.zip',
            bytes: 123_456_789,
            expires_at: Math.floor(submittedAt.getTime() / 1000) + 86_400,
          },
          ConditionExpression: expect.any(String),
        },
      ],
    ]);
  });

  it.each([
    { left: [123_457, 0], status: 201 },
    { left: [0, 123_457], status: 201 },
    { left: [123_456, 5], status: 403 },
  ])('answers $status where $left kilobytes are left', async ({ left: [one, two], status }) => {
    const Items = [
      quotaItem(hpcOne, { spaceLeft: one ?? 0 }),
      quotaItem(hpcTwo, { spaceLeft: two ?? 0 }),
    ];
    table.on(QueryCommand).resolves({ Items });
    expect((await request(wish)).statusCode).toBe(status);
    expect(table.commandCalls(PutCommand)).toHaveLength(status === 201 ? 1 : 0);
  });

  it('says how much is left where that is too little', async () => {
    table.on(QueryCommand).resolves({
      Items: [quotaItem(hpcOne, { spaceLeft: 7 }), quotaItem(hpcTwo, { spaceLeft: 6 })],
    });
    expect(readResponse(await request(wish))).toEqual(
      problem({
        status: 403,
        slug: 'quota-exceeded',
        title: 'The quota is too small',
        detail:
          "The quota of 'proj_hpc_one_01' on 'hpc_one' is too small: " +
          '123457 kilobytes of space were asked for, but only 7 are left.',
        members: { asked: { time: 0, space: 123_457 }, left: { time: 18_000_000, space: 7 } },
      }),
    );
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
