import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { TableUnavailableError } from '#lib/table/errors.ts';
import { asAdministrator, ask } from '#test/fixtures/call.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { userId } from '#test/fixtures/names.ts';
import { profileItem, userBody } from '#test/fixtures/profiles.ts';
import { answer, invalidPart, unauthorized } from '#test/fixtures/responses.ts';
import { issuer } from '#test/setup/function-environment.ts';

const table = useTable();
let listSystems: ApiHandler;
let readUsers: ApiHandler;

beforeAll(async () => {
  process.env.USER_IDS = 'assigned';
  ({ handler: listSystems } = await import('#functions/catalog/list-systems.ts'));
  ({ handler: readUsers } = await import('#functions/admin/read-users.ts'));
});

const number = userId('9000000000000001');
const alice = 'alice@example.org';

/** Leaves out the reading of the windows of systems. */
const sentForUsers = () => table.sent().filter((name) => name !== 'BatchGetItem');

async function callAs(subject: string) {
  const headers = { authorization: `Bearer ${issuer.issueToken({ user: subject })}` };
  return ask(listSystems, { path: '/hpc/', headers });
}

describe('a token whose subject is no number', () => {
  it('is given one at the first call, and remembered', async () => {
    expect((await callAs(alice)).statusCode).toBe(200);
    expect(await table.list('IDENTITY#')).toMatchObject([
      { PK: `IDENTITY#${number}`, SK: 'SUBJECT', subject: alice },
      { PK: expect.stringMatching(/^IDENTITY#[0-9a-f]{64}$/), SK: 'NUMBER', user: number },
    ]);
    expect(sentForUsers()).toEqual(['GetItem', 'UpdateItem', 'TransactWriteItems']);
    expect((await callAs(alice)).statusCode).toBe(200);
    expect(sentForUsers()).toHaveLength(3);
  });

  it('is read once where it has one, also by another token: on a mocked table', async () => {
    const known = { type: 'identity', schema_version: 1, subject: 'bob', user: number };
    const more = { issuer: 'https://slipway.localhost', assigned_at: '2026-11-15T08:30:00.000Z' };
    table.mock.on(GetCommand).callsFake(({ Key }) => ({ Item: { ...Key, ...known, ...more } }));
    expect((await callAs('bob')).statusCode).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect((await callAs('bob')).statusCode).toBe(200);
    expect(table.mock.commandCalls(GetCommand)).toHaveLength(1);
    expect(sentForUsers()).toEqual([]);
  });

  it('is answered 503, and not 401, while the table cannot be reached', async () => {
    table.mock.on(GetCommand).rejectsOnce(new TableUnavailableError());
    expect((await callAs('carol')).statusCode).toBe(503);
    expect((await callAs('carol')).statusCode).toBe(200);
  });

  it('is refused where it is too long, and a number costs no look', async () => {
    expect(await callAs('x'.repeat(256))).toEqual(unauthorized);
    expect((await callAs('306328')).statusCode).toBe(200);
    expect(sentForUsers()).toEqual([]);
  });
});

describe('GET /admin/users/', () => {
  const get = (path: string, query = '') =>
    ask(readUsers, { path, query, headers: asAdministrator() });
  const shown = { ...userBody({}, number), subject: 'dora' };

  it('finds a user by the subject, and shows the subject of a user', async () => {
    await callAs('dora');
    await table.hold(profileItem({}, number));
    expect(await get('/admin/users/', 'subject=dora')).toEqual(answer(200, [shown]));
    expect(await get('/admin/users/', 'subject=nobody')).toEqual(answer(200, []));
    expect(await get(`/admin/users/${number}/`)).toEqual(answer(200, shown));
  });

  it('is one page by the subject', async () => {
    expect(await get('/admin/users/', 'subject=')).toEqual(
      invalidPart('query', 'subject', 'It must have 1 to 255 characters.'),
    );
    expect(await get('/admin/users/', 'subject=a&cursor=x')).toEqual(
      invalidPart(
        'query',
        'cursor',
        'It cannot be used with subject, which finds at most one user.',
      ),
    );
  });
});
