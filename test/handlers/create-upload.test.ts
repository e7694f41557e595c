import { GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/uploads/create-upload.ts';
import { asUser, call } from '../fixtures/call.ts';
import { useTable } from '../fixtures/engine-table.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, invalidRequest, readResponse, refusalOf } from '../fixtures/responses.ts';
import { hpcOne, hpcTwo, quotaItem, submittedAt, user } from '../fixtures/samples.ts';
import { uploadItem } from '../fixtures/submissions.ts';
import { sentCommands } from '../fixtures/table-mock.ts';

const table = useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

const quotas = [quotaItem(hpcOne), quotaItem(hpcTwo)];
const wish = { filename: 'big.zip', length: 123_456_789 };

function request(body: unknown = wish, query = '') {
  return call(handler, {
    method: 'POST',
    path: '/uploads/',
    query,
    headers: { ...asUser(), 'content-type': 'application/json' },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
}

const seconds = Math.floor(submittedAt.getTime() / 1000);
const listed = (ids: readonly string[], revision: number) => ({
  PK: `USER#${user}`,
  SK: 'UPLOADS',
  type: 'open-uploads',
  schema_version: 1,
  upload_ids: ids,
  revision,
  expires_at: seconds + 86_400,
});

describe('POST /uploads/', () => {
  it('answers 201 with an address for one PUT of exactly that length, for an hour', async () => {
    await table.hold(profileItem(), ...quotas);
    const response = await request();
    const body = JSON.parse(response.body ?? '');
    expect(readResponse(response)).toEqual(
      answer(201, {
        upload_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...wish,
        expires: '2019-02-10T23:40:01Z',
        method: 'PUT',
        address: expect.any(String),
        headers: { 'Content-Length': '123456789', 'If-None-Match': '*' },
      }),
    );
    const address = new URL(body.address);
    expect(`${address.origin}${address.pathname}`).toBe(
      `http://storage.test/inputs-test/${user}/uploads/${body.upload_id}.zip`,
    );
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      'X-Amz-Expires': '3600',
      'X-Amz-Date': '20190210T224001Z',
      'X-Amz-SignedHeaders': 'content-length;host;if-none-match',
    });
  });

  it('remembers the upload for 24 hours', async () => {
    await table.hold(profileItem(), ...quotas);
    const { upload_id } = JSON.parse((await request()).body ?? '');
    const record = {
      ...uploadItem({ bytes: wish.length, upload_id }),
      open_until: seconds + 86_400,
      expires_at: seconds + 7 * 86_400,
      due: expect.stringMatching(/^DUE#UPLOADS#\d$/),
      due_at: '2019-02-12T22:40:01.000Z',
    };
    expect(await table.read(record)).toEqual(record);
    expect(await table.read(listed([], 1))).toEqual(listed([upload_id], 1));
    expect(table.writes()).toBe(1);
  });

  it.each([
    { left: [123_457, 0], status: 201 },
    { left: [0, 123_457], status: 201 },
    { left: [123_456, 5], status: 403 },
  ])(
    'answers $status where $left kilobytes are left',
    async ({ left: [one = 0, two = 0], status }) => {
      await table.hold(profileItem());
      await table.hold(
        quotaItem(hpcOne, { spaceLeft: one }),
        quotaItem(hpcTwo, { spaceLeft: two }),
      );
      const response = await request();
      expect([response.statusCode, table.writes()]).toEqual([status, status === 201 ? 1 : 0]);
      if (status === 201) return;
      expect(readResponse(response).body).toMatchObject({
        type: 'urn:slipway:problem:quota-exceeded',
        project_name: hpcOne.project,
        asked: { time: 0, space: 123_457 },
        left: { time: 18_000_000, space: one },
      });
    },
  );

  it('answers 409 where ten wait for their jobs, and writes nothing', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `u-${index}`);
    const uploads = ids.map((upload_id) => uploadItem({ bytes: 1, upload_id }));
    await table.hold(profileItem(), ...quotas, listed(ids, 12), ...uploads);
    const response = await request({ ...wish, length: 1 });
    expect(refusalOf(response)).toBe('409 too-many-uploads');
    expect(JSON.parse(response.body ?? '')).toMatchObject({ limit: 10, count: 10 });
    expect(table.writes()).toBe(0);
  });

  it.each([1, 5_000_000_000])('takes the length %d', async (length) => {
    await table.hold(profileItem(), ...quotas);
    expect((await request({ ...wish, length })).statusCode).toBe(201);
  });

  const ending = 'The file name must end in .zip.';
  const bytes = 'It must be a whole number of bytes from 1 to 100000000000.';
  const tooLong = 'More than 5000000000 bytes can only be sent in parts: add "parts": true.';
  it.each([
    { filename: 'big.tar', message: ending },
    { filename: 'a/big.zip', message: 'The file name must be a plain name without a path.' },
    { filename: 5, message: 'It must be text.' },
    ...[0, 1.5, 100_000_000_001, '100', null].map((length) => ({ length, message: bytes })),
    { length: 5_000_000_001, message: tooLong },
    { parts: 'yes', message: 'It must be true or false.' },
  ])('answers 400 to %j', async ({ message, ...change }) => {
    const [name = ''] = Object.keys(change);
    expect(readResponse(await request({ ...wish, ...change }))).toEqual(
      invalidRequest([{ location: 'body', name, message }]),
    );
    expect(table.sent()).toEqual([]);
  });

  it('answers 400 with all that is wrong at once', async () => {
    expect(readResponse(await request({ size: 1 })).body).toMatchObject({
      errors: [{ name: 'size' }, { name: 'filename' }, { name: 'length' }],
    });
    expect((await request('no JSON')).statusCode).toBe(400);
    expect((await request(wish, 'a=b')).statusCode).toBe(400);
  });
});

describe('create-upload with a mocked table', () => {
  beforeEach(() => {
    table.mock.on(GetCommand).resolves({});
    table.mock.on(QueryCommand).resolves({ Items: quotas });
  });

  it('writes the upload and the list of open ones in one transaction', async () => {
    table.mock.on(TransactWriteCommand).resolves({});
    expect((await request()).statusCode).toBe(201);
    expect(sentCommands(table.mock)).toMatchObject([
      [
        'QueryCommand',
        { ExpressionAttributeValues: { ':quotas': 'QUOTA#' }, ConsistentRead: true },
      ],
      ['GetCommand', { Key: { SK: 'UPLOADS' }, ConsistentRead: true }],
      ['TransactWriteCommand', { TransactItems: [{ Put: {} }, { Put: {} }] }],
    ]);
  });

  it('answers 403 to somebody who is banned, with the reason', async () => {
    const Items = quotas.map((quota) => ({ ...quota, banned_everywhere: 'A loop.' }));
    table.mock.on(QueryCommand).resolves({ Items });
    const response = await request();
    expect(refusalOf(response)).toBe('403 banned');
    expect(JSON.parse(response.body ?? '')).toMatchObject({ reason: 'A loop.' });
    expect(table.mock.commandCalls(TransactWriteCommand)).toEqual([]);
  });
});
