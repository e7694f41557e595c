import {
  BatchGetCommand,
  GetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { asAdministrator, call } from '#test/fixtures/call.ts';
import { userId } from '#test/fixtures/names.ts';
import { profileItem, userBody } from '#test/fixtures/profiles.ts';
import { answer, invalidRequest, readResponse, unauthorized } from '#test/fixtures/responses.ts';
import { mockTable, sentCommands, tableName } from '#test/fixtures/table-mock.ts';
import { issuer } from '#test/setup/function-environment.ts';

const table = mockTable();
let listSystems: ApiHandler;
let readUsers: ApiHandler;

beforeAll(async () => {
  process.env.USER_IDS = 'assigned';
  ({ handler: listSystems } = await import('#functions/catalog/list-systems.ts'));
  ({ handler: readUsers } = await import('#functions/admin/read-users.ts'));
});

beforeEach(() => {
  table.reset();
  table.onAnyCommand().rejects(new Error('Nothing may be asked of the table.'));
});

const number = userId('9000000000000012');
const identity = (subject: string, key: object) => ({
  ...key,
  type: 'identity',
  schema_version: 1,
  issuer: 'https://slipway.localhost',
  subject,
  user: number,
  assigned_at: '2026-11-15T08:30:00.000Z',
});
const ask = (subject: string) =>
  call(listSystems, {
    path: '/hpc/',
    headers: { authorization: `Bearer ${issuer.issueToken({ user: subject })}` },
  });

describe('a token whose subject is no number', () => {
  it('is given one at the first call, and remembered', async () => {
    table.on(GetCommand).resolves({});
    table.on(UpdateCommand).resolves({ Attributes: { value: 12 } });
    table.on(TransactWriteCommand).resolves({});
    expect((await ask('alice@example.org')).statusCode).toBe(200);
    const [read, count, write] = sentCommands(table);
    const byHash = expect.objectContaining({
      PK: expect.stringMatching(/^IDENTITY#[0-9a-f]{64}$/),
      SK: 'NUMBER',
    });
    expect(read).toEqual(['GetCommand', expect.objectContaining({ Key: byHash })]);
    expect(count?.[1]).toMatchObject({ Key: { PK: 'COUNTER#user', SK: 'COUNTER' } });
    expect(write?.[1]).toMatchObject({
      TransactItems: [
        { Put: { Item: { SK: 'NUMBER', user: number, subject: 'alice@example.org' } } },
        { Put: { Item: { PK: `IDENTITY#${number}`, SK: 'SUBJECT', user: number } } },
      ],
    });
    expect((await ask('alice@example.org')).statusCode).toBe(200);
    expect(sentCommands(table)).toHaveLength(3);
  });

  it('is read once where it has one, also by another token', async () => {
    table.on(GetCommand).callsFake(({ Key }) => ({ Item: identity('bob', Key) }));
    expect((await ask('bob')).statusCode).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect((await ask('bob')).statusCode).toBe(200);
    expect(sentCommands(table)).toHaveLength(1);
  });

  it('is answered 503, and not 401, while the table cannot be reached', async () => {
    table.on(GetCommand).rejects(new TableUnavailableError());
    const refused = await ask('carol');
    expect(readResponse(refused)).toMatchObject({ statusCode: 503 });
    table.on(GetCommand).callsFake(({ Key }) => ({ Item: identity('carol', Key) }));
    expect((await ask('carol')).statusCode).toBe(200);
  });

  it('is refused where it is too long, and nothing is looked for', async () => {
    expect(readResponse(await ask('x'.repeat(256)))).toEqual(unauthorized);
    expect(sentCommands(table)).toEqual([]);
  });
});

it('a token whose subject is a number costs no look', async () => {
  expect((await ask('306328')).statusCode).toBe(200);
  expect(sentCommands(table)).toEqual([]);
});

describe('GET /admin/users/', () => {
  const get = (path: string, query = '') =>
    call(readUsers, { path, query, headers: asAdministrator() });

  it('finds a user by the subject', async () => {
    table
      .on(GetCommand)
      .callsFake(({ Key }) =>
        Key.SK === 'PROFILE'
          ? { Item: profileItem({}, number) }
          : { Item: identity('alice@example.org', Key) },
      );
    expect(readResponse(await get('/admin/users/', 'subject=alice%40example.org'))).toEqual(
      answer(200, [{ ...userBody({}, number), subject: 'alice@example.org' }]),
    );
    table.on(GetCommand).resolves({});
    expect(readResponse(await get('/admin/users/', 'subject=nobody'))).toEqual(answer(200, []));
  });

  it('shows the subject of a user', async () => {
    table.on(GetCommand).resolves({ Item: profileItem({}, number) });
    const key = { PK: `IDENTITY#${number}`, SK: 'SUBJECT' };
    table
      .on(BatchGetCommand)
      .resolves({ Responses: { [tableName]: [identity('alice@example.org', key)] } });
    expect(readResponse(await get(`/admin/users/${number}/`))).toEqual(
      answer(200, { ...userBody({}, number), subject: 'alice@example.org' }),
    );
  });

  it('is one page by the subject', async () => {
    expect(readResponse(await get('/admin/users/', 'subject='))).toEqual(
      invalidRequest([
        { location: 'query', name: 'subject', message: 'It must have 1 to 255 characters.' },
      ]),
    );
    expect(readResponse(await get('/admin/users/', 'subject=a&cursor=x'))).toEqual(
      invalidRequest([
        {
          location: 'query',
          name: 'cursor',
          message: 'It cannot be used with subject, which finds at most one user.',
        },
      ]),
    );
  });
});
